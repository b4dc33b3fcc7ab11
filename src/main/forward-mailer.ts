import type { Draft } from '../accept/draft.ts';
import { digestOf } from '../base/digest.ts';
import { Problem } from '../base/errors/problem.ts';
import { createCache } from '../base/db/cache.ts';
import { loadSigningKey } from '../domains/dkim-keys.ts';
import { openPlatformSender } from '../domains/platform-sender.ts';
import { platformMailGroup } from '../mails/platform-mail-group.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { ForwardContext, ForwardMail } from '../received/index.ts';
import type { ServiceContext } from './service-context.ts';

const keptMs = 60_000;
/** Trying again would not change these. */
const permanent: ReadonlySet<string> = new Set([
  'request_too_large',
  'validation_error',
  'idempotency_key_reused',
]);

/** Forwarded mail is accepted, queued, signed and retried like any other of the platform, from its domain. */
export function forwardMailing(context: ServiceContext): ForwardContext {
  const { config, store, secret, acceptance, log } = context;
  const { platform_domain } = config;
  const { db } = store;
  const sender = async () => await openPlatformSender(db, { platform_domain, secret });
  const keys = createCache<string, Awaited<ReturnType<ForwardContext['sealing']>>>({
    load: async (domain) => {
      await sender();
      const [row] = await db.query<{ id: number }>(
        `select d.id from domains d join instances i on i.id = d.instance_id
         where i.is_platform and d.domain = $1 and d.deleted_at is null order by d.id limit 1`,
        [domain],
      );
      const signing = row && (await loadSigningKey(db, row.id, secret));
      if (!signing) throw new Error(`${domain} has no DKIM key`);
      return { domain, selector: signing.selector, key: signing.key };
    },
    ttl_ms: keptMs,
    max_entries: 1,
  });
  return {
    log,
    sealing: async () => await keys.get(platform_domain),
    async acceptForward(mail) {
      const recipient = canonicalAddress(mail.to);
      if (!recipient) return undefined;
      const { instance_id, email } = await sender();
      try {
        const { msg_id } = await acceptance.acceptMail(draftOf(mail, { instance_id, email, recipient }), {
          keyed: { instance_id, operation: 'forward', key: mail.key, body_digest: digestOf(mail.key) },
        });
        return await mailOf(context, msg_id);
      } catch (error) {
        if (error instanceof Problem && permanent.has(error.code)) return undefined;
        throw error;
      }
    },
  };
}

interface Addressed {
  instance_id: number;
  email: string;
  recipient: { address: string; domain: string };
}

/** Its files are those of others: the limit on attachments is for what customers send. */
function draftOf(mail: ForwardMail, { instance_id, email, recipient }: Addressed): Draft {
  return {
    kind: 'raw',
    instance_id,
    source: 'smtp',
    sender_email: email,
    recipients: [{ kind: 'to', ...recipient, name: undefined }],
    recipients_visible: 'all',
    subject: mail.subject,
    from_name: undefined,
    to: [],
    cc: [],
    raw: mail.raw,
    attachment_bytes: 0,
    category: 'forward',
    test_mode: false,
    custom_msg_id: null,
    custom_group_code: platformMailGroup(mail.instance_id),
  };
}

async function mailOf({ store }: ServiceContext, msgId: string): Promise<string | undefined> {
  const [row] = await store.db.query<{ mail_id: string }>(
    `select mail_id from mails where msg_id = $1 and mail_id >= $2 and mail_id < uuid_at(uuid_time($1) + interval '1 millisecond')`,
    [msgId, `${msgId.slice(0, 13)}-0000-0000-000000000000`],
  );
  return row?.mail_id;
}
