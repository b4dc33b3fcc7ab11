export { createUnsubscribeLookup, type UnsubscribeLookup } from './address-lookup.ts';
export { isStanding } from './standing-unsubscribe.ts';
export { createSuppressionLookup, type Suppressed, type SuppressionLookup } from './suppression-lookup.ts';
export { erasuresReplayed, erasuresToReplay } from './erasure-list.ts';
export {
  findErased,
  liftBlocking,
  liftErasure,
  markReturned,
  suppressContacts,
} from './suppressed-contacts.ts';
export {
  type ComplaintType,
  maxCommentCharacters,
  maxReasonCharacters,
  type UnsubscribeMethod,
} from './suppression.ts';
export { personalData } from './personal-data.ts';
export { changeRestrictions } from './change-many-restrictions.ts';
export { findRestrictions, listRestrictionsByKey } from './find-restrictions.ts';
export { getRestriction } from './list-suppressions.ts';
export type { Restriction } from './suppression-schemas.ts';
