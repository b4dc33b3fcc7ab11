export {
  type ContactAnswers,
  listToldAnswers,
  type ToldAnswers,
} from './contact-answers.ts';
export { findDefaultForm } from './default-form.ts';
export { forgetReturn, listExpiredReturns } from './expired-returns.ts';
export { personalData } from './personal-data.ts';
export {
  findImportedAnswers,
  importableFields,
  storeImportedAnswers,
} from './imported-answers.ts';
export { type Answer, readAnswer } from './read-answer.ts';
export { contactKeyOf, newestAnswersOf, notBlocked } from './submission-conditions.ts';
export type { Field } from './field-schemas.ts';
export { answerColumn } from './submissions.ts';
export { answersAmong, newestAnswers } from './answers-of-contacts.ts';
