import { namesNobodyBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { AuditEvent } from './audit-schemas.ts';

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

/** Newest first. */
export async function listAuditEvents(
  db: Queryable,
  instanceId: number,
  { filters, timezone, now }: { filters: AuditFilters; timezone: string; now: Date },
): Promise<PageOf<AuditEvent>> {
  return await selectPage<AuditEvent>(
    db,
    { ...selectAuditEvents(instanceId, { filters, timezone, now }), columns },
    filters,
  );
}

/** The same for a list and for an export. */
export function selectAuditEvents(
  instanceId: number,
  { filters, timezone, now }: { filters: AuditFilters; timezone: string; now: Date },
): { source: string; order_by: string; values: unknown[] } {
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
    .where('a.at < ?', end_date && range.until)
    .where(namesNobodyBlocked(`concat_ws(' ', a.details::text, a.object_id)`), instanceId);
  return {
    source: `from audit_events a
      left join users u on u.id = case when a.actor_kind = 'user' then a.actor_id::bigint end where ${conditions.sql()}`,
    order_by: 'a.id desc',
    values: conditions.values,
  };
}
