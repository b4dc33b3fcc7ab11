export { findLostAccess, type UsedAccess } from './lost-access.ts';
export { personalData } from './personal-data.ts';
