import type { Queryable, Statement } from '../../base/db/database.ts';
import type { DomainHolder } from '../../domains/index.ts';
import type { MailboxOwner } from '../inbound-messages.ts';
import type { MailTokens } from '../../mails/index.ts';
import { canonicalDomain } from '../../protocol/address/domain-name.ts';
import type { Mailbox } from '../../protocol/smtp/mailbox-path.ts';

export interface KnownMail {
  mail_id: string;
  recipient: string;
}

/** The purpose of an inbound recipient. */
export type InboundAddress =
  | { kind: 'bounce'; mail: KnownMail }
  | { kind: 'unsubscribe'; mail: KnownMail }
  | { kind: 'dmarc' }
  /** Read by people: members of instances, or the operator. */
  | { kind: 'mailbox'; owners: MailboxOwner[] };

export interface AddressContext {
  db: Queryable;
  tokens: MailTokens;
  holdersOf: (domain: string) => Promise<DomainHolder[]>;
  platform_domain: string;
}

/** RFC 2142, and the mailbox registered with feedback loops. */
const domainMailboxes: ReadonlySet<string> = new Set(['postmaster', 'abuse', 'fbl']);
/** `hostmaster` is named in the SOA of the platform's zone. */
const platformMailboxes: ReadonlySet<string> = new Set([...domainMailboxes, 'hostmaster']);

const token = /^(bounce|unsubscribe)-([0-9a-f]{1,64})$/i;

const findMail: Statement = {
  name: 'inbound.find_mail',
  text: 'select mail_id, recipient, sender_email from mails where mail_id = $1',
};

/**
 * Undefined for addresses that are not ours. A forged token costs no look-up. A valid one is accepted only at the
 * domain its mail was sent from.
 */
export async function readInboundAddress(
  context: AddressContext,
  to: Mailbox,
): Promise<InboundAddress | undefined> {
  // The bare `postmaster` of RFC 5321 §4.1.1.3 is the platform's.
  const domain = to.domain === '' ? context.platform_domain : canonicalDomain(to.domain);
  if (domain === undefined) return undefined;
  const name = to.local_part.toLowerCase();
  const [, use, text = ''] = token.exec(name) ?? [];
  if (use === 'bounce' || use === 'unsubscribe') {
    const mail = await findTokenMail(context, { id: context.tokens.read(use, text), domain });
    return mail && { kind: use, mail };
  }
  if (domain === context.platform_domain) {
    if (name === 'dmarc') return { kind: 'dmarc' };
    return platformMailboxes.has(name) ? { kind: 'mailbox', owners: [null] } : undefined;
  }
  return domainMailboxes.has(name) ? await domainMailbox(context, name, domain) : undefined;
}

async function findTokenMail(
  { db }: AddressContext,
  { id, domain }: { id: string | undefined; domain: string },
): Promise<KnownMail | undefined> {
  if (id === undefined) return undefined;
  const [mail] = await db.query<KnownMail & { sender_email: string }>(findMail, [id]);
  if (mail?.sender_email.slice(mail.sender_email.lastIndexOf('@') + 1).toLowerCase() !== domain)
    return undefined;
  return { mail_id: mail.mail_id, recipient: mail.recipient };
}

/**
 * The operator gets mail of domains without a proven owner, and mail to `abuse@`, since it may be about the instance
 * that owns the domain.
 */
async function domainMailbox(
  { holdersOf }: AddressContext,
  name: string,
  domain: string,
): Promise<InboundAddress | undefined> {
  const holders = await holdersOf(domain);
  if (holders.length === 0) return undefined;
  const proven = holders.filter(({ is_proven }) => is_proven).map(({ instance_id }) => instance_id);
  return { kind: 'mailbox', owners: proven.length === 0 || name === 'abuse' ? [...proven, null] : proven };
}
