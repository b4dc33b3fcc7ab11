export { HandOver, type DeliverySlot } from './hand-over.ts';
export type { StoredMessage } from './load-batch.ts';
