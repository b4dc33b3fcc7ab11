export { type AddressLookup, createRestrictionLookup, createUnsubscribeLookup } from './address-lookup.ts';
export { ContactHashes } from './contact-hash.ts';
export { liftBlocking, suppressContacts } from './suppressed-contacts.ts';
export {
  type ComplaintType,
  max_comment_characters,
  max_reason_characters,
  type UnsubscribeMethod,
} from './suppression.ts';
