import { Conditions, escapeLike } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { selectPage, type PageOf } from '../base/http/pagination.ts';
import type { MailRecord, SentQuery } from './mail-schemas.ts';

const columns = `mail_id, msg_id, recipient as "to", subject, sender_email as sender, status, opens, clicks, received_at,
  queued_at, sent_at, null as schedule_at, extract(epoch from sent_at - received_at)::double precision as delay,
  custom_msg_id, custom_group_code`;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Names no mail, as does what is no identifier at all. */
const nobody = '00000000-0000-0000-0000-000000000000';
const retention_months = 3;

interface Listing {
  query: SentQuery;
  now: Date;
  timezone: string;
}

/**
 * The mails of an instance, newest first. A range of time is a range of identifiers, so that only the partitions it
 * touches are read.
 */
export async function listMails(
  db: Queryable,
  instanceId: number,
  { query, now, timezone }: Listing,
): Promise<PageOf<MailRecord>> {
  const { from, until } = readDateRange(query, { now, timezone, months: retention_months });
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('mail_id >= uuid_at(?::timestamptz)', from)
    .where('mail_id < uuid_at(?::timestamptz)', until)
    .where('sender_id = ?', query.sender_id)
    .where('custom_msg_id = ?', query.custom_msg_id)
    .where('custom_group_code = ?', query.custom_group_code)
    .where('status = ?', query.status)
    .contains('subject', query.subject);
  for (const key of ['msg_id', 'mail_id'] as const) {
    const value = query[key];
    if (typeof value === 'string') conditions.where(`${key} = ?::uuid`, uuid.test(value) ? value : nobody);
  }
  addRecipient(conditions, query);
  if (query.opened === 'opened') conditions.where('opens >= ?', 1);
  if (query.opened === 'unopened') conditions.where('(status = ? and opens = 0)', 3);
  return await selectPage<MailRecord>(
    db,
    {
      columns,
      source: `from mails where ${conditions.sql()}`,
      order_by: 'mail_id desc',
      values: conditions.values,
    },
    query,
  );
}

function addRecipient(conditions: Conditions, { recipient, recipient_operator }: SentQuery): void {
  if (typeof recipient !== 'string') return;
  if (recipient_operator === 'starts_with') {
    conditions.where('recipient collate "und-x-icu" ilike ?', `${escapeLike(recipient)}%`);
  } else {
    conditions.where('lower(recipient) = lower(?)', recipient);
  }
}

export async function getMail(db: Queryable, instanceId: number, mailId: string): Promise<MailRecord> {
  const [row] = await db.query<MailRecord>(
    `select ${columns} from mails where mail_id = $1 and instance_id = $2`,
    [mailId, instanceId],
  );
  if (!row) throw new Problem('mail_not_found');
  return row;
}
