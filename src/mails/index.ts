export { type Categories, createCategories } from './categories.ts';
export { categorySlug } from './category-slug.ts';
export {
  type CallKey,
  createKeptAnswerLookup,
  type FindKeptAnswer,
  findTakenKeys,
  insertKeptAnswers,
  isKeyTaken,
  type KeptAnswer,
  nameOf,
  type NewKeptAnswer,
} from './idempotency-keys.ts';
export { insertMessages } from './insert-messages.ts';
export { MailTokens, type TokenUse } from './mail-token.ts';
export {
  type DropReason,
  dropReasons,
  type Envelope,
  type NewMail,
  type NewMessage,
  type StoredContent,
  type TrackedEvent,
} from './new-message.ts';
export { retentionStart } from './retention.ts';
export { maxScheduleDays, readSchedule } from './schedule.ts';
export {
  NullableStatusName,
  statusCode,
  StatusesFilter,
  StatusFilter,
  StatusName,
  statusNameOf,
  statusNames,
  statusNameSql,
} from './statuses.ts';
export { isTagName, TagFilter, tagLimits, Tags } from './tags.ts';
export {
  mailsOf,
  nextMailsOf,
  nextMailsToErase,
  personalData,
  rowsOfMails,
  type WhoseMails,
} from './personal-data.ts';
