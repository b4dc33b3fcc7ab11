export type { AddressLookup } from './address-lookup.ts';
export { createRestrictionLookup } from './find-restricted.ts';
export { createUnsubscribeLookup } from './find-unsubscribed.ts';
export {
  type ComplaintType,
  max_comment_characters,
  max_reason_characters,
  type UnsubscribeMethod,
} from './suppression.ts';
