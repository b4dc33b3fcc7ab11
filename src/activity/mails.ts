import type { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { type ExportColumn, listed } from '../exports/index.ts';
import { statusNameSql } from '../mails/index.ts';
import { addMailFilters, recipientNotBlocked, statusesOf, type Listing } from './mail-filters.ts';
import type { MailRecord, SentFilters } from './mail-schemas.ts';

/** Category, test mode and tags of a row that has them as `mails` does. */
export function markColumns(row: string): ExportColumn[] {
  return [
    { name: 'category', sql: `(select slug from categories where id = ${row}.category_id)`, kind: 'text' },
    { name: 'test_mode', sql: `${row}.test_mode`, kind: 'boolean', never_null: true },
    { name: 'tags', sql: `coalesce(${row}.tags, '{}')`, kind: 'json', never_null: true },
  ];
}

export const mailColumns: ExportColumn[] = [
  { name: 'mail_id', sql: 'm.mail_id', kind: 'uuid', never_null: true },
  { name: 'msg_id', sql: 'm.msg_id', kind: 'uuid', never_null: true },
  { name: 'to', sql: 'm.recipient', kind: 'text', never_null: true },
  { name: 'subject', sql: 'm.subject', kind: 'text', never_null: true },
  { name: 'sender', sql: 'm.sender_email', kind: 'text', never_null: true },
  { name: 'status', sql: 'm.status', kind: 'number', never_null: true },
  { name: 'opens', sql: 'm.opens', kind: 'number', never_null: true },
  { name: 'clicks', sql: 'm.clicks', kind: 'number', never_null: true },
  { name: 'received_at', sql: 'm.received_at', kind: 'date_time', never_null: true },
  { name: 'queued_at', sql: 'm.queued_at', kind: 'date_time' },
  { name: 'sent_at', sql: 'm.sent_at', kind: 'date_time' },
  { name: 'schedule_at', sql: 'm.schedule_at', kind: 'date_time' },
  {
    name: 'delay',
    // 0.2 µs; `extract` returns numeric and takes 0.5.
    sql: `date_part('epoch', m.sent_at - m.received_at)`,
    kind: 'number',
  },
  { name: 'custom_msg_id', sql: 'm.custom_msg_id', kind: 'text' },
  { name: 'custom_group_code', sql: 'm.custom_group_code', kind: 'text' },
  ...markColumns('m'),
  // Last: who reads the file by position finds what was there before.
  { name: 'status_name', sql: statusNameSql('m.status'), kind: 'text', never_null: true },
];

/** All conditions but the dates. */
export function mailConditions(
  conditions: Conditions,
  listing: Pick<Listing<SentFilters>, 'query' | 'instance'>,
): Conditions {
  const { query } = listing;
  const statuses = statusesOf(query);
  if (statuses?.length === 1) conditions.where('m.status = ?', statuses[0]);
  else if (statuses) conditions.where('m.status = any (?::smallint[])', statuses);
  conditions.where('is_sandbox_address(m.recipient) = ?', query.sandbox);
  if (query.opened === 'opened') conditions.where('m.opens >= ?', 1);
  if (query.opened === 'unopened') conditions.where('(m.status = ? and m.opens = 0)', 3);
  return addMailFilters(conditions, listing);
}

export async function getMail(db: Queryable, instanceId: number, mailId: string): Promise<MailRecord> {
  const [row] = await db.query<MailRecord>(
    `select ${listed(mailColumns)} from mails m where m.mail_id = $1 and m.instance_id = $2
       and ${recipientNotBlocked.replaceAll('?', '$2')}`,
    [mailId, instanceId],
  );
  if (!row) throw new Problem('mail_not_found');
  return row;
}
