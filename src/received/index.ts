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
export { isReservedLocalPart, matchRoute, tagOf } from './match-route.ts';
export { createRouteDirectory, type ReceivingDomain } from './route-directory.ts';
export { createReceivedStore, type Receipt, type ReceivedRecipient } from './store-received.ts';
