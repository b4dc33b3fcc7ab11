export { findAnsweredMail } from './answers/find-answered-mail.ts';
export { createForwardTokens } from './forwards/forward-tokens.ts';
export { findAskedAddress, verifyForwardAddress } from './forwards/forward-addresses.ts';
export type { ForwardContext, ForwardMail } from './forwards/send-forwards.ts';
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
