export { AuditEvent, auditExample, auditFilters } from './audit-schemas.ts';
export {
  type Actor,
  actorOf,
  audited,
  auditOf,
  recordAudit,
  recordAudits,
  storableAddress,
} from './audit.ts';
export { maskedColumns, maskedAuditEvents } from './masked-events.ts';
export { personalData } from './personal-data.ts';
