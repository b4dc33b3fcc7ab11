export { type AddressLookup, createRestrictionLookup, createUnsubscribeLookup } from './address-lookup.ts';
export {
  type ComplaintType,
  max_comment_characters,
  max_reason_characters,
  type UnsubscribeMethod,
} from './suppression.ts';
