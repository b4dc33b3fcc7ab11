export { findDropped } from './find-dropped.ts';
export { HandOver, type DeliverySlot } from './hand-over.ts';
export { type ContentContext, messageSourcesOf } from './message-content.ts';
export { loadAttachments, type StoredMessage } from './load-batch.ts';
