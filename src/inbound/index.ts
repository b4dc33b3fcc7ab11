export { type DmarcQuota, storeDmarcReport } from './dmarc-reports.ts';
export { keepInboundMessage, type MailboxOwner } from './inbound-messages.ts';
