import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions, escapeLike } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { selectPage, type PageOf } from '../base/http/pagination.ts';
import type {
  Complaint,
  ComplaintsQuery,
  Restriction,
  RestrictionsQuery,
  Unsubscribe,
  UnsubscribesQuery,
} from './suppression-schemas.ts';

interface Listing<Query> {
  query: Query;
  now: Date;
  timezone: string;
}

/** A mail can be reported while it is being recorded as sent; then its own row is more recent. */
const sent_at = (table: string): string =>
  `coalesce(${table}.sent_at, (select m.sent_at from mails m where m.mail_id = ${table}.mail_id)) as sent_at`;
const complaintColumns = `mail_id, msg_id, recipient as "to", sender, complained_at, type, comment, ${sent_at('complaints')}`;
const unsubscribeColumns = `mail_id, msg_id, recipient as "to", sender, unsubscribed_at, resubscribed_at, method, reason,
  ${sent_at('unsubscribes')}`;
const restrictionColumns = 'id, recipient, reason, mail_id, detail, created_at';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Suppressions hold whatever their age, so there is no default date range. */
const whole_past_months = 100 * 12;

type AnyQuery = ComplaintsQuery | UnsubscribesQuery | RestrictionsQuery;

/** Filters of all lists. The key is lower case, so a plain `like` is enough. */
function conditionsFor(instanceId: number, time: string, listing: Listing<AnyQuery>): Conditions {
  const { query, now, timezone } = listing;
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where(notBlocked('recipient_key'), instanceId);
  if (typeof query.recipient === 'string') {
    conditions.where(`recipient_key like ${addressKey('?')}`, `%${escapeLike(query.recipient)}%`);
  }
  if ((query.start_date ?? query.end_date ?? null) === null) return conditions;
  const { from, until } = readDateRange(query, { now, timezone, months: whole_past_months });
  return conditions.where(`${time} >= ?`, from).where(`${time} < ?`, until);
}

export async function listComplaints(
  db: Queryable,
  instanceId: number,
  listing: Listing<ComplaintsQuery>,
): Promise<PageOf<Complaint>> {
  const { query } = listing;
  const conditions = conditionsFor(instanceId, 'complained_at', listing)
    .where('sender_id = ?', query.sender_id)
    .where('type = ?', query.type);
  const selection = {
    columns: complaintColumns,
    source: `from complaints where ${conditions.sql()}`,
    order_by: 'complained_at desc, mail_id desc',
    values: conditions.values,
  };
  return await selectPage<Complaint>(db, selection, query);
}

export async function listUnsubscribes(
  db: Queryable,
  instanceId: number,
  listing: Listing<UnsubscribesQuery>,
): Promise<PageOf<Unsubscribe>> {
  const { query } = listing;
  const conditions = conditionsFor(instanceId, 'unsubscribed_at', listing)
    .where('sender_id = ?', query.sender_id)
    .where('method = ?', query.method);
  const selection = {
    columns: unsubscribeColumns,
    source: `from unsubscribes where ${conditions.sql()}`,
    order_by: 'unsubscribed_at desc, mail_id desc',
    values: conditions.values,
  };
  return await selectPage<Unsubscribe>(db, selection, query);
}

export async function listRestrictions(
  db: Queryable,
  instanceId: number,
  listing: Listing<RestrictionsQuery>,
): Promise<PageOf<Restriction>> {
  const { query } = listing;
  const conditions = conditionsFor(instanceId, 'created_at', listing).where('reason = ?', query.reason);
  const selection = {
    columns: restrictionColumns,
    source: `from restrictions where ${conditions.sql()}`,
    order_by: 'id desc',
    values: conditions.values,
  };
  return await selectPage<Restriction>(db, selection, query);
}

const visible = (instance: string): string => notBlocked('recipient_key', instance);

/** Kept longer than the mail, so there is no retention to check. */
export async function getComplaint(db: Queryable, instanceId: number, mailId: string): Promise<Complaint> {
  const sql = `select ${complaintColumns} from complaints where mail_id = $1 and instance_id = $2 and ${visible('$2')}`;
  const [row] = uuid.test(mailId) ? await db.query<Complaint>(sql, [mailId, instanceId]) : [];
  if (!row) throw new Problem('mail_complaint_not_found');
  return row;
}

export async function getUnsubscribe(
  db: Queryable,
  instanceId: number,
  mailId: string,
): Promise<Unsubscribe> {
  const sql = `select ${unsubscribeColumns} from unsubscribes where mail_id = $1 and instance_id = $2 and ${visible('$2')}`;
  const [row] = uuid.test(mailId) ? await db.query<Unsubscribe>(sql, [mailId, instanceId]) : [];
  if (!row) throw new Problem('mail_unsubscribe_not_found');
  return row;
}

export async function getRestriction(db: Queryable, instanceId: number, id: number): Promise<Restriction> {
  const [row] = await db.query<Restriction>(
    `select ${restrictionColumns} from restrictions where id = $1 and instance_id = $2 and ${visible('$2')}`,
    [id, instanceId],
  );
  if (!row) throw new Problem('mail_restriction_not_found');
  return row;
}
