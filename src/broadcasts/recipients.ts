import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { canonicalContact } from '../base/contacts.ts';
import { type PageOf, type PageRequest, selectPage } from '../base/http/pagination.ts';
import { type ExportColumn, type ExportSelection, listed } from '../exports/index.ts';
import { getBroadcastRow } from './broadcasts.ts';
import type { BroadcastRecipient } from './recipient-schemas.ts';

export const columns: ExportColumn[] = [
  { name: 'contact', sql: 'p.contact', kind: 'text', never_null: true },
  { name: 'purpose', sql: 'u.code', kind: 'text', never_null: true },
  { name: 'consent_event_id', sql: 'e.id', kind: 'number' },
  { name: 'consent_rule_id', sql: 'p.rule_id', kind: 'number', never_null: true },
  { name: 'term_id', sql: 'r.term_id', kind: 'number' },
  { name: 'term_version', sql: 'v.version', kind: 'text' },
  { name: 'agreed_at', sql: 'r.created_at', kind: 'date_time' },
  { name: 'method', sql: 'e.method', kind: 'text' },
  { name: 'source', sql: 'e.source', kind: 'text' },
  { name: 'mail_id', sql: 'm.mail_id', kind: 'uuid' },
  { name: 'status', sql: 'm.status', kind: 'number' },
  { name: 'reason', sql: 'coalesce(p.refused, d.reason)', kind: 'text' },
  { name: 'sent_at', sql: 'm.sent_at', kind: 'date_time' },
  { name: 'opens', sql: 'm.opens', kind: 'number' },
  { name: 'clicks', sql: 'm.clicks', kind: 'number' },
];

const joins = `
  join consent_purposes u on u.instance_id = $1 and u.id = $3
  left join consent_rules r on r.id = p.rule_id and r.instance_id = $1
  left join consent_events e on e.id = r.event_id and not exists (select from consent_seals s where s.event_id = e.id)
  left join consent_term_versions v on v.id = e.term_version_id
  left join lateral (
    select mail_id, status, sent_at, opens, clicks from mails
    where instance_id = $1 and custom_group_code = $4 and mail_id >= uuid_at($5::timestamptz)
      and lower(recipient collate "und-x-icu") collate "C" = lower(p.contact collate "und-x-icu") collate "C"
    order by mail_id limit 1
  ) as m on true
  left join lateral (
    select reason from events where mail_id = m.mail_id and event = 'dropped' and m.status = 4 limit 1
  ) as d on true`;

interface Asked {
  id: number;
  contact?: string | null | undefined;
}

/** Recipients of a broadcast in the order in which they were handed over: the consent of each, and what became of the mail. */
export async function selectRecipients(
  db: Queryable,
  instanceId: number,
  { id, contact }: Asked,
): Promise<ExportSelection> {
  const { group_code, started_at, purpose_id } = await getBroadcastRow(db, instanceId, id);
  const conditions = new Conditions([instanceId, id, purpose_id, group_code, started_at])
    .where('p.contact = ?', contact && canonicalContact({ contact_type: 'email_address', contact }))
    .always(notBlocked(addressKey('p.contact'), '$1'));
  const where = `where p.broadcast_id = $2 and ${conditions.sql()}`;
  return {
    columns,
    source: `from broadcast_recipients p ${joins} ${where}`,
    count_source: `from broadcast_recipients p ${where}`,
    order_by: 'p.position',
    values: conditions.values,
  };
}

export async function listRecipients(
  db: Queryable,
  instanceId: number,
  { page, ...asked }: Asked & { page: PageRequest },
): Promise<PageOf<BroadcastRecipient>> {
  const selection = await selectRecipients(db, instanceId, asked);
  return await selectPage<BroadcastRecipient & Record<string, unknown>>(
    db,
    { ...selection, columns: listed(selection.columns) },
    page,
  );
}
