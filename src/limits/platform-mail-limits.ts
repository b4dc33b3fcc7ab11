import { createHash } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { mailboxKey } from '../protocol/address/mailbox-key.ts';
import { networkOf } from '../protocol/address/source-network.ts';
import { takeToken } from './shared-buckets.ts';

/** Limits of mail that third parties can trigger; 0 turns the limit off. */
export interface PlatformMailLimits {
  /**
   * Per recipient and day, over all instances: separately for form confirmations, links for privacy requests, and
   * invitations with DNS records, so that strangers who fill in forms do not use up the other limits.
   */
  per_recipient_day: number;
  /** Invitations and DNS records, per instance and hour. */
  per_instance_hour: number;
  /** Form confirmations, and separately links for privacy requests, per instance and hour. */
  confirmations_per_instance_hour: number;
  /** Per network of the requester and hour. */
  per_network_hour: number;
}

interface PlatformMailRequest {
  /** Links to archives, and their codes, apart from links that strangers ask for. */
  kind: 'platform' | 'confirmation' | 'rights' | 'archive' | 'archive-code';
  instance_id: number;
  recipient: string;
  /** Source address of the requester; absent for operators at the command line. */
  address: string | null | undefined;
}

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;

export class MailLimitReached extends Problem {
  readonly limit: 'network' | 'instance' | 'recipient';

  constructor(limit: MailLimitReached['limit'], retry_after_seconds: number) {
    const detail = {
      network: 'Too many mails were asked for from your network.',
      instance: 'This instance has had too many mails written.',
      recipient: 'This address has been written to often enough for now.',
    }[limit];
    super('rate_limit_exceeded', { detail, retry_after_seconds });
    this.limit = limit;
  }
}

/**
 * Call it in the transaction that the mail belongs to, before the mail is accepted: both are committed or neither.
 * Buckets are locked in a fixed order.
 */
export async function limitPlatformMail(
  tx: Queryable,
  limits: PlatformMailLimits,
  { kind, instance_id, recipient, address }: PlatformMailRequest,
): Promise<void> {
  const take = takerOf(tx);
  if (address) await take('network', networkOf(address), [limits.per_network_hour, hourSeconds]);
  const ofInstance = kind === 'platform' ? limits.per_instance_hour : limits.confirmations_per_instance_hour;
  await take('instance', `${instance_id} ${kind}`, [ofInstance, hourSeconds]);
  await take('recipient', `${kind} ${recipientHash(recipient)}`, [limits.per_recipient_day, daySeconds]);
}

/**
 * One confirmation a day and instance to a person who was erased: any stranger can ask for it. Counted by the keyed hash, which is all
 * that is known of them.
 */
export async function limitMailToErased(tx: Queryable, hash: Buffer): Promise<void> {
  await takerOf(tx)('recipient', `erased ${hash.toString('hex')}`, [1, daySeconds]);
}

/** Returns the recipient's token when the mail was rejected, since it was not sent. */
export async function returnPlatformMail(
  db: Queryable,
  { kind, recipient }: { kind: PlatformMailRequest['kind'] | 'account'; recipient: string },
): Promise<void> {
  // A bucket is never filled beyond its burst (`lease_tokens`).
  await db.query('update rate_buckets set tokens = tokens + 1 where key = $1', [
    bucketOf('recipient', `${kind} ${recipientHash(recipient)}`),
  ]);
}

/**
 * A mail that is asked for from one network, where the answer must not tell whether it is written: counted before that is known.
 * `limitPlatformMail` then leaves the network out.
 */
export async function limitMailOfNetwork(
  db: Queryable,
  limits: PlatformMailLimits,
  address: string,
): Promise<void> {
  await takerOf(db)('network', networkOf(address), [limits.per_network_hour, hourSeconds]);
}

/** Requests for account mail from one network: counted alike whether or not there is an account. */
export async function limitRequestsOfNetwork(
  db: Queryable,
  limits: PlatformMailLimits,
  address: string,
): Promise<void> {
  await takerOf(db)('network', `account ${networkOf(address)}`, [limits.per_network_hour, hourSeconds]);
}

/** One password link per half hour and recipient, for all callers together: each works for an hour. */
const accountMailSeconds = hourSeconds / 2;

/** In the transaction of the link. Nothing else that the platform writes counts here, so that nothing else can use it up. */
export async function limitAccountMail(tx: Queryable, recipient: string): Promise<void> {
  await takerOf(tx)('recipient', `account ${recipientHash(recipient)}`, [1, accountMailSeconds]);
}

type Take = (
  limit: MailLimitReached['limit'],
  of: string,
  rate: [count: number, seconds: number],
) => Promise<void>;

function takerOf(tx: Queryable): Take {
  return async (limit, of, [count, seconds]) => {
    if (count === 0) return;
    const taken = await takeToken(tx, bucketOf(limit, of), { rate: count / seconds, burst: count });
    if (!taken.ok) throw new MailLimitReached(limit, taken.retry_after_seconds);
  };
}

const bucketOf = (limit: MailLimitReached['limit'], of: string): string => `platform mail ${limit} ${of}`;

/** Hashed, because buckets outlive the data they count. */
function recipientHash(recipient: string): string {
  return createHash('sha256')
    .update(mailboxKey(recipient) ?? recipient.toLowerCase())
    .digest('base64url');
}
