export type { Channel } from './catalogue/term-schemas.ts';
export { listReceipts, recordReceipt, type Receipt } from './chain/receipts.ts';
export { denyPurposes } from './record/deny-purposes.ts';
export type { Evidence } from './record/event-content.ts';
export { findImportableTerm } from './catalogue/importable-term.ts';
export { importConsents, type ImportedOutcome, type ImportedTerm } from './record/import-consents.ts';
export { evidenceOf } from './record/event-content.ts';
export { methods } from './record/event-schemas.ts';
export { getConsentEvent } from './record/events.ts';
export { type NewConsent, recordConsentEvent } from './record/record-event.ts';
export { confirmConsentEvent, expireConsentEvents } from './record/settle-event.ts';
export { restoreAfterResubscribe, withdrawForUnsubscribe } from './record/withdraw-consent.ts';
export {
  type ConsentDrop,
  type ConsentLookup,
  createConsentLookup,
  findConsentDrops,
  findConsentDropsOfAll,
} from './verdict.ts';
export { personalData, sealEvidence } from './record/personal-data.ts';
export { unsealed } from './record/event-filters.ts';
export { listStandingConsents, standingRules } from './standing-consents.ts';
export { sources } from './record/event-schemas.ts';
export { standingVerdicts } from './standing-verdicts.ts';
