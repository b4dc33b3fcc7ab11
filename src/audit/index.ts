export { type Actor, actorOf, recordAudit } from './audit.ts';
