export { type Categories, createCategories } from './categories.ts';
export { categorySlug } from './category-slug.ts';
export { insertMessages } from './insert-messages.ts';
export { MailTokens, type TokenUse } from './mail-token.ts';
export {
  type DropReason,
  dropReasons,
  type Envelope,
  type NewMail,
  type NewMessage,
  type StoredContent,
} from './new-message.ts';
export { retentionStart } from './retention.ts';
export { mailsOf, nextMailsToErase, personalData, rowsOfMails } from './personal-data.ts';
