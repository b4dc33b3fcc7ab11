import type { Clock } from '../base/clock.ts';
import type { BlockedPersons } from '../base/db/blocked-contacts.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { auditExample, AuditEvent, auditFilters } from './audit-schemas.ts';
import { listAuditEvents } from './list-audit.ts';

interface AuditContext {
  db: Database;
  clock: Clock;
  blocked: BlockedPersons;
}

export function auditPanelRoutes({ db, clock, blocked }: AuditContext): Operation[] {
  return [
    operation({
      id: 'panel_list_audit_events',
      method: 'GET',
      path: '/v1/private/audit-events',
      tag: 'Settings',
      summary: 'List what was done in the instance',
      description:
        'Every change and every export, newest first, with who did it and from where. `[erased]` and `[blocked]` in `details` stand where a line said something about a person who was erased, or is blocked, at their own request.',
      access: { kind: 'user', role: 'admin' },
      query: PageQuery(auditFilters),
      success: onePage('events', AuditEvent, auditExample),
      errors: [],
      handle: async ({ caller: { instance }, query }) =>
        await listAuditEvents(db, instance.id, {
          filters: query,
          timezone: instance.timezone,
          now: clock.now(),
          blocked,
        }),
    }),
  ];
}
