export { type AddressLookup, createUnsubscribeLookup } from './address-lookup.ts';
export {
  createSuppressionLookup,
  type SuppressionLookup,
  type SuppressionReason,
} from './suppression-lookup.ts';
export { erasuresReplayed, erasuresToReplay } from './erasure-list.ts';
export { ContactHashes } from './contact-hash.ts';
export { liftBlocking, suppressContacts } from './suppressed-contacts.ts';
export {
  type ComplaintType,
  max_comment_characters,
  max_reason_characters,
  type UnsubscribeMethod,
} from './suppression.ts';
export { personalData } from './personal-data.ts';
