import type { BlockedPersons } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { AuditEvent } from './audit-schemas.ts';
import { blockedText, withoutPerson } from './person-in-line.ts';

const columns = `a.id, a.at, a.actor_kind, a.actor_id, u.email as actor_email, host(a.address) as address, a.action,
  a.object_kind, a.object_id, a.details`;

export interface AuditFilters extends PageRequest {
  action?: string | null;
  actor_id?: string | null;
  object_kind?: string | null;
  object_id?: string | null;
  start_date?: string | null;
  end_date?: string | null;
  tz?: string | null;
}

export interface Asked {
  filters: AuditFilters;
  timezone: string;
  now: Date;
}

/** Newest first. What a line says about a person who is blocked is left out; that something was done is not. */
export async function listAuditEvents(
  db: Queryable,
  instanceId: number,
  { blocked, ...asked }: Asked & { blocked: BlockedPersons },
): Promise<PageOf<AuditEvent>> {
  const { from, where, order_by, values } = selectAuditEvents(instanceId, asked);
  const source = `${from} ${where}`;
  const page = await selectPage<AuditEvent>(db, { columns, source, order_by, values }, asked.filters);
  if (!(await blocked.isAnybody(instanceId))) return page;
  const recognises = await blocked.among(instanceId, (each) => {
    for (const line of page.data) withoutPerson(line, each, '');
  });
  if (!recognises) return page;
  const data = page.data.map((line) => ({
    ...line,
    ...withoutPerson(line, recognises, blockedText)?.words,
  }));
  return { ...page, data };
}

/** The same for a list and for an export. */
export function selectAuditEvents(
  instanceId: number,
  { filters, timezone, now }: Asked,
): { from: string; where: string; order_by: string; values: unknown[] } {
  const { start_date, end_date, tz = null } = filters;
  // Without a date that side is unbounded.
  const range = readDateRange(
    { start_date: start_date ?? '0001-01-01', end_date: end_date ?? '9999-12-31', tz },
    { now, timezone, months: 3 },
  );
  const conditions = new Conditions()
    .where('a.instance_id = ?', instanceId)
    .where('a.action = ?', filters.action)
    .where('a.actor_id = ?', filters.actor_id)
    .where('a.object_kind = ?', filters.object_kind)
    .where('a.object_id = ?', filters.object_id)
    .where('a.at >= ?', start_date && range.from)
    .where('a.at < ?', end_date && range.until);
  return {
    from: `from audit_events a
      left join users u on u.id = case when a.actor_kind = 'user' then a.actor_id::bigint end`,
    where: `where ${conditions.sql()}`,
    order_by: 'a.id desc',
    values: conditions.values,
  };
}
