export { findDefaultForm } from './default-form.ts';
export { forgetReturn, listExpiredReturns } from './expired-returns.ts';
export { personalData } from './personal-data.ts';
export { answersAmong, newestAnswers } from './answers-of-contacts.ts';
export type { Answer } from './read-answer.ts';
export type { Field } from './field-schemas.ts';
