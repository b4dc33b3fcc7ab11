export { findDropped } from './find-dropped.ts';
export { HandOver, type DeliverySlot } from './hand-over.ts';
export { type ContentContext, getMessageSource, messageSourcesOf } from './message-content.ts';
export { loadAttachments } from './load-batch.ts';
export { needsConsent, storedMessage, type StoredMessage } from './stored-message.ts';
