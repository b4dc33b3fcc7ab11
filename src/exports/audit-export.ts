import { AuditEvent, auditExample, auditFilters, maskedColumns, maskedAuditEvents } from '../audit/index.ts';
import type { BlockedPersons } from '../base/db/blocked-contacts.ts';
import type { Operation } from '../base/http/operation.ts';
import type { ExportColumn } from './export-format.ts';
import { exportOperation, type ExportContext } from './export-operation.ts';

const columns: ExportColumn[] = [
  { name: 'id', sql: 'a.id', kind: 'number', never_null: true },
  { name: 'at', sql: 'a.at', kind: 'date_time', never_null: true },
  { name: 'actor_kind', sql: 'a.actor_kind', kind: 'text', never_null: true },
  { name: 'actor_id', sql: 'a.actor_id', kind: 'text' },
  { name: 'actor_email', sql: 'u.email', kind: 'text' },
  { name: 'address', sql: 'host(a.address)', kind: 'text' },
  { name: 'action', sql: 'a.action', kind: 'text', never_null: true },
  { name: 'object_kind', sql: 'a.object_kind', kind: 'text', never_null: true },
  { name: 'object_id', sql: maskedColumns.object_id, kind: 'text' },
  { name: 'details', sql: maskedColumns.details, kind: 'json', never_null: true },
];
const { tz: _tz, ...filters } = auditFilters;

export function auditExportRoutes(context: ExportContext & { blocked: BlockedPersons }): Operation[] {
  const { db, blocked } = context;
  return [
    exportOperation(
      {
        id: 'panel_export_audit_events',
        path: '/v1/private/audit-events/export',
        tag: 'Settings',
        summary: 'Export what was done in the instance',
        description: 'The audit log with the same filters.',
        scope: { role: 'admin' },
        filters,
        row: AuditEvent,
        example: { json: auditExample },
        name: 'audit-events',
        select: async ({ caller: { instance }, query, now }) => ({
          ...(await maskedAuditEvents(db, instance.id, {
            filters: query,
            timezone: instance.timezone,
            now,
            blocked,
          })),
          columns,
        }),
      },
      context,
    ),
  ];
}
