export { HandOver, type DeliverySlot } from './hand-over.ts';
export { type ContentContext, messageSourcesOf } from './message-content.ts';
export type { StoredMessage } from './load-batch.ts';
