export { personalData } from './personal-data.ts';
export type {
  Addresses,
  Attachment,
  Authentication,
  Automation,
  Envelope,
  NamedAddress,
  ParsedMail,
  RouteAction,
  TakenAction,
} from './received-mail.ts';
export { createReceivedStore, type Receipt, type ReceivedRecipient } from './store-received.ts';
