export { findLostAccess, type UsedAccess } from './lost-access.ts';
export { knownToPlatform, personalData } from './personal-data.ts';
