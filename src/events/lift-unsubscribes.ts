import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';

interface OptIn {
  instance_id: number;
  /** The address that was confirmed. */
  contact: string;
  /** Purposes of mail that were agreed to, each with the event that proves it. */
  agreed: { purpose_id: number; consent_event_id: number }[];
  /** When it was agreed to: a later unsubscribe holds. */
  given_at: Date;
  at: Date;
}

const lift = `
  insert into unsubscribe_lifts (mail_id, consent_purpose_id, consent_event_id, lifted_at)
  select u.mail_id, agreed.purpose_id, agreed.event_id, $6
  from unsubscribes u cross join unnest($3::bigint[], $4::bigint[]) as agreed (purpose_id, event_id)
  where u.instance_id = $1 and u.recipient_key = ${addressKey('$2')} and u.resubscribed_at is null
    and u.unsubscribed_at <= $5::timestamptz
  on conflict (mail_id, consent_purpose_id) do nothing returning consent_purpose_id as purpose_id`;

const holds = `
  select from unsubscribes u where u.instance_id = $1 and u.recipient_key = ${addressKey('$2')}
    and u.resubscribed_at is null and u.unsubscribed_at > $3::timestamptz limit 1`;

/**
 * A person who unsubscribed comes back by double opt-in: the unsubscribe is lifted for the purposes that they agreed to and holds for
 * everything else. Returns the purposes for which its withdrawal is to be given back, once the consents are confirmed. It locks
 * unsubscribes, so call it before the consent chain is locked.
 */
export async function liftUnsubscribes(
  tx: Queryable,
  { instance_id, contact, agreed, given_at, at }: OptIn,
): Promise<number[]> {
  const lifted = await tx.query<{ purpose_id: number }>(lift, [
    instance_id,
    contact,
    agreed.map(({ purpose_id }) => purpose_id),
    agreed.map(({ consent_event_id }) => consent_event_id),
    given_at,
    at,
  ]);
  if (lifted.length === 0) return [];
  if ((await tx.query(holds, [instance_id, contact, given_at])).length > 0) return [];
  return [...new Set(lifted.map(({ purpose_id }) => purpose_id))].toSorted((a, b) => a - b);
}
