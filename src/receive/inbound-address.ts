import type { Queryable, Statement } from '../base/db/database.ts';
import type { DomainHolder } from '../domains/index.ts';
import type { MailboxOwner } from '../inbound/index.ts';
import type { MailTokens } from '../mails/index.ts';
import { canonicalDomain } from '../protocol/address/domain-name.ts';
import type { Mailbox } from '../protocol/smtp/mailbox-path.ts';

/** A mail of ours that somebody writes about. */
export interface KnownMail {
  mail_id: string;
  recipient: string;
}

/** What a recipient of inbound mail is for. */
export type InboundAddress =
  | { kind: 'bounce'; mail: KnownMail }
  | { kind: 'unsubscribe'; mail: KnownMail }
  | { kind: 'dmarc' }
  /** People read it: those of instances, or the operator. */
  | { kind: 'mailbox'; owners: MailboxOwner[] };

export interface AddressContext {
  db: Queryable;
  tokens: MailTokens;
  holdersOf: (domain: string) => Promise<DomainHolder[]>;
  platform_domain: string;
}

/** RFC 2142, and the mailbox that feedback loops are registered with. */
const domain_mailboxes: ReadonlySet<string> = new Set(['postmaster', 'abuse', 'fbl']);
/** The zone of the platform names the last one as responsible for it. */
const platform_mailboxes: ReadonlySet<string> = new Set([...domain_mailboxes, 'hostmaster']);

const token = /^(bounce|unsubscribe)-([0-9a-f]{1,64})$/i;

const findMail: Statement = {
  name: 'receive.find_mail',
  text: 'select mail_id, recipient, sender_email from mails where mail_id = $1',
};

/**
 * What an address is for; undefined for all that is none of ours. A forged token costs no look-up, so that guessing
 * is cheap to refuse; a true one counts at the domain its mail was sent from, and nowhere else.
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
    return platform_mailboxes.has(name) ? { kind: 'mailbox', owners: [null] } : undefined;
  }
  return domain_mailboxes.has(name) ? await domainMailbox(context, name, domain) : undefined;
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
 * The operator reads what is for nobody, which is the mail of a domain that nobody has proven to be theirs, and what is
 * written to `abuse@`: it may be about the very instance that the domain belongs to.
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
