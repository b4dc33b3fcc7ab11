export { type Acceptance } from './accept-mail.ts';
export type { BatchResult } from './accept-batch.ts';
export type { Draft, DraftRecipient } from './draft.ts';
export { readBatch } from './read-batch.ts';
export type { SendMail } from './send-schema.ts';
