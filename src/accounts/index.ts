export { findLostAccess, type UsedAccess } from './lost-access.ts';
