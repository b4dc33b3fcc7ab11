export { findLostAccess, type UsedAccess } from './lost-access.ts';
export { type AdminMailing, writeToAdmins } from './write-to-admins.ts';
export { personalData } from './personal-data.ts';
