import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { listed } from '../exports/index.ts';
import { restrictionColumns } from './select-suppressions.ts';
import type { Restriction } from './suppression-schemas.ts';

/** Those of these addresses that are restricted, in any order. */
export async function findRestrictions(
  db: Queryable,
  instanceId: number,
  addresses: readonly string[],
): Promise<Restriction[]> {
  return await db.query<Restriction>(
    `select ${listed(restrictionColumns)} from restrictions where instance_id = $1
       and recipient_key = any (array(select ${addressKey('address')} from unnest($2::text[]) as address))
       and ${notBlocked('recipient_key', '$1')}`,
    [instanceId, addresses],
  );
}

interface Keyset {
  reasons?: readonly Restriction['reason'][] | undefined;
  /** Those that were restricted before this one. */
  after?: number | undefined;
  /** Those that were restricted since this one, the oldest of them. */
  before?: number | undefined;
  /** The whole address, in either case. */
  recipient?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  limit: number;
  offset?: number | undefined;
}

/** Newest first, by keys in place of pages. */
export async function listRestrictionsByKey(
  db: Queryable,
  instanceId: number,
  { reasons, after, before, recipient, from, until, limit, offset = 0 }: Keyset,
): Promise<Restriction[]> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where(notBlocked('recipient_key'), instanceId)
    .where('reason = any (?::text[])', reasons)
    .where(`recipient_key = ${addressKey('?::text')}`, recipient)
    .where('id < ?', after)
    .where('id > ?', before)
    .where('created_at >= ?', from)
    .where('created_at < ?', until);
  const isForward = before !== undefined;
  const rows = await db.query<Restriction>(
    `select ${listed(restrictionColumns)} from restrictions where ${conditions.sql()}
     order by id ${isForward ? 'asc' : 'desc'} limit ${conditions.value(limit)} offset ${conditions.value(offset)}`,
    conditions.values,
  );
  return isForward ? rows.toReversed() : rows;
}
