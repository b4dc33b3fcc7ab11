import type { Queryable, Statement } from '../../base/db/database.ts';
import type { DomainHolder } from '../../domains/index.ts';
import type { MailboxOwner } from '../inbound-messages.ts';
import type { MailTokens } from '../../mails/index.ts';
import { canonicalDomain } from '../../protocol/address/domain-name.ts';
import type { Mailbox } from '../../protocol/smtp/mailbox-path.ts';
import { isReservedLocalPart, matchRoute, type ReceivingDomain, tagOf } from '../../received/index.ts';

export interface KnownMail {
  mail_id: string;
  recipient: string;
}

/** An instance that a route of takes the address, or refuses it. */
export interface Taker {
  instance_id: number;
  domain_id: number;
  /** Null for an answer to a mail with a reply token. */
  route_id: number | null;
  action: 'webhook' | 'forward' | 'store' | 'reject';
  is_enabled: boolean;
}

/** The purpose of an inbound recipient. */
export type InboundAddress =
  | { kind: 'bounce'; mail: KnownMail }
  | { kind: 'unsubscribe'; mail: KnownMail }
  | { kind: 'dmarc' }
  /** Read by people: members of instances, or the operator. */
  | { kind: 'mailbox'; owners: MailboxOwner[] }
  /** One for each instance that proved that it has the domain. */
  | { kind: 'route'; takers: Taker[]; tag: string | null };

export interface AddressContext {
  db: Queryable;
  tokens: MailTokens;
  holdersOf: (domain: string) => Promise<DomainHolder[]>;
  routesOf: (domain: string) => Promise<ReceivingDomain[]>;
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
  if (domainMailboxes.has(name)) return await domainMailbox(context, name, domain);
  const tied = context.tokens.read('reply', /^reply\+([0-9a-f]{48})$/.exec(name)?.[1] ?? '');
  if (tied !== undefined) return await findReplyTaker(context, { mail_id: tied, to, domain });
  return isReservedLocalPart(name) ? undefined : await findRoutes(context, to.local_part, domain);
}

async function findRoutes(
  { routesOf }: AddressContext,
  localPart: string,
  domain: string,
): Promise<InboundAddress | undefined> {
  const takers = (await routesOf(domain)).flatMap(
    ({ routes, is_sandbox, instance_id, domain_id, is_enabled }) => {
      // Nothing leaves the sandbox, and nothing reaches it from outside.
      const route = is_sandbox ? undefined : matchRoute(routes, localPart);
      return route ? [{ instance_id, domain_id, route_id: route.id, action: route.action, is_enabled }] : [];
    },
  );
  return takers.length === 0 ? undefined : { kind: 'route', takers, tag: tagOf(localPart) };
}

const findSender: Statement = {
  name: 'inbound.find_reply_sender',
  text: `
    select m.instance_id, d.id as domain_id, i.is_enabled
    from mails m join instances i on i.id = m.instance_id
    join domains d on d.instance_id = m.instance_id and d.domain = $2 and d.deleted_at is null
    where m.mail_id = $1 and split_part(lower(m.sender_email), '@', 2) = $2 order by d.id limit 1`,
};

/** An answer goes to the instance whose mail it answers; a route of it may say what happens, and none need be there. */
async function findReplyTaker(
  { db, routesOf }: AddressContext,
  { mail_id, to, domain }: { mail_id: string; to: Mailbox; domain: string },
): Promise<InboundAddress | undefined> {
  const [sender] = await db.query<
    Pick<Taker, 'instance_id' | 'domain_id' | 'is_enabled'> & Record<string, unknown>
  >(findSender, [mail_id, domain]);
  if (!sender) return undefined;
  const own = (await routesOf(domain)).find(({ domain_id }) => domain_id === sender.domain_id);
  const route = matchRoute(own?.routes ?? [], to.local_part);
  const taker = { ...sender, route_id: route?.id ?? null, action: route?.action ?? ('webhook' as const) };
  return { kind: 'route', takers: [taker], tag: tagOf(to.local_part) };
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
