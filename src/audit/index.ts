export { AuditEvent, auditExample, auditFilters } from './audit-schemas.ts';
export { type Actor, actorOf, audited, auditOf, recordAudit, storableAddress } from './audit.ts';
export { selectAuditEvents } from './list-audit.ts';
export { personalData } from './personal-data.ts';
