export { type DmarcQuota, storeDmarcReport } from './dmarc-reports.ts';
export { storeInboundMessage, type MailboxOwner } from './inbound-messages.ts';
export { personalData } from './personal-data.ts';
