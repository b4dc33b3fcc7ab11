export { findDefaultForm } from './default-form.ts';
export { forgetReturn, listExpiredReturns } from './expired-returns.ts';
export { personalData } from './personal-data.ts';
