import type { Acceptance } from '../accept/accept-mail.ts';
import type { Draft } from '../accept/draft.ts';
import type { Database } from '../base/db/database.ts';
import type { PlatformMail, SendPlatformMail } from '../base/platform-mail.ts';
import {
  openPlatformSender,
  type PlatformSender,
  type PlatformSenderOptions,
} from '../domains/platform-sender.ts';
import type { PlatformMailLimits } from '../limits/platform-mail-limits.ts';
import { platformMailGroup } from '../mails/platform-mail-group.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { platformMailLimits } from './platform-services.ts';
import type { ServiceContext } from './service-context.ts';

interface PlatformMailerOptions extends PlatformSenderOptions {
  db: Database;
  acceptance: Pick<Acceptance, 'acceptMail'>;
}

/** The platform's own mail is accepted, queued, signed, retried and logged like any other. */
export function createPlatformMailer({ db, acceptance, ...sender }: PlatformMailerOptions): SendPlatformMail {
  return async (mail) => {
    await acceptance.acceptMail(draftOf(await openPlatformSender(db, sender), mail));
  };
}

/** What sends the platform's mail, and how much of it. */
export interface PlatformMailing {
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
}

export function platformMail({ config, store, secret, acceptance }: ServiceContext): PlatformMailing {
  const { platform_domain } = config;
  const sender = { db: store.db, acceptance, platform_domain, secret };
  return { sendPlatformMail: createPlatformMailer(sender), mail_limits: platformMailLimits(config) };
}

function draftOf({ instance_id, email }: PlatformSender, mail: PlatformMail): Draft {
  const { kind, written_for, subject, html, text } = mail;
  const recipient = canonicalAddress(mail.to);
  if (!recipient) throw new Error('the recipient of a platform mail is not an address');
  const { address, domain } = recipient;
  return {
    kind: 'content',
    instance_id,
    source: 'http',
    sender_email: email,
    recipients: [{ kind: 'to', address, domain, name: undefined }],
    subject,
    html,
    text,
    reply_to: [],
    headers: [['Auto-Submitted', 'auto-generated']],
    attachments: [],
    category: kind,
    test_mode: false,
    custom_msg_id: null,
    custom_group_code: written_for === null ? null : platformMailGroup(written_for),
  };
}
