import { createHash } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { mailboxKey } from '../protocol/address/mailbox-key.ts';
import { networkOf } from '../protocol/address/source-network.ts';
import { takeToken } from './shared-buckets.ts';

/** Limits of mail that third parties can trigger; 0 is no limit. */
export interface PlatformMailLimits {
  /** Per recipient and day, over all instances and kinds of platform mail. */
  per_recipient_day: number;
  /** Invitations and DNS records, per instance and hour. */
  per_instance_hour: number;
  /** Form confirmations, per instance and hour. */
  confirmations_per_instance_hour: number;
  /** Per network of the requester and hour. */
  per_network_hour: number;
}

interface PlatformMailRequest {
  kind: 'platform' | 'confirmation';
  instance_id: number;
  recipient: string;
  /** Source address of the requester; absent for operators at the command line. */
  address: string | null | undefined;
}

const hour_seconds = 3_600;
const day_seconds = 24 * hour_seconds;

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
  const take = async (limit: MailLimitReached['limit'], of: string, [count, seconds]: [number, number]) => {
    if (count === 0) return;
    const key = `platform mail ${limit} ${of}`;
    const taken = await takeToken(tx, key, { rate: count / seconds, burst: count });
    if (!taken.ok) throw new MailLimitReached(limit, taken.retry_after_seconds);
  };
  if (address) await take('network', networkOf(address), [limits.per_network_hour, hour_seconds]);
  const ofInstance = kind === 'platform' ? limits.per_instance_hour : limits.confirmations_per_instance_hour;
  await take('instance', `${instance_id} ${kind}`, [ofInstance, hour_seconds]);
  await take('recipient', recipientHash(recipient), [limits.per_recipient_day, day_seconds]);
}

/** Hashed, because buckets outlive the data they count. */
function recipientHash(recipient: string): string {
  return createHash('sha256')
    .update(mailboxKey(recipient) ?? recipient.toLowerCase())
    .digest('base64url');
}
