export { HandOver, type Place } from './hand-over.ts';
export type { StoredMessage } from './load-batch.ts';
