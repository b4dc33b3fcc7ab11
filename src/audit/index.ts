export { type Actor, actorOf, recordAudit, storableAddress } from './audit.ts';
