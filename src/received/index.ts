export { type AnsweredMail, type AnswerSigns, findAnsweredMail } from './answers/find-answered-mail.ts';
export { type Answer, readAnswer } from './answers/read-answer.ts';
export { offerWithdrawal, recordOffered } from './answers/withdrawals.ts';
export { insertForwards } from './forwards/send-forwards.ts';
export { createForwardTokens } from './forwards/forward-tokens.ts';
export { findAskedAddress, verifyForwardAddress } from './forwards/forward-addresses.ts';
export type { ForwardContext, ForwardMail } from './forwards/send-forwards.ts';
export { personalData } from './personal-data.ts';
export type {
  Addresses,
  Attachment,
  Authentication,
  Automation,
  NamedAddress,
  ParsedMail,
  TakenAction,
  Verdict,
} from './received-mail.ts';
export { isReservedLocalPart, matchRoute, tagOf } from './match-route.ts';
export { type ClaimedMail, createParseClaim, loadSources } from './claim-parsing.ts';
export { type ParseOutcome, type RecordedMail, recordParsed } from './record-parsed.ts';
export { ReceivedLinks } from './received-links.ts';
export {
  loadReceivedEvent,
  loadReceivedHeads,
  type ReceivedEvent,
  type ReceivedHead,
} from './received-event.ts';
export { receivedEventMembers, receivedMailExample } from './received-mail-schemas.ts';
export { type LinkMaker } from './received-mails.ts';
export { createRouteDirectory, type ReceivingDomain } from './route-directory.ts';
export { createReceivedStore, type Receipt, type ReceivedRecipient } from './store-received.ts';
