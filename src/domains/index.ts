export { loadSigningKey, type SigningKey } from './dkim-keys.ts';
export type { DomainHolder } from './domain-holders.ts';
export { isAtOrBelow } from './domain-name.ts';
export { findDomainName, getDomain, listDomains } from './domains.ts';
export type { Domain } from './domain-schemas.ts';
export { linkHostOf, listTakenDownHosts } from './link-takedowns.ts';
export { sandbox_zone } from './sandbox.ts';
export { createSenderDirectory, type KnownSender, type SenderDirectory } from './sender-directory.ts';
export { type DnsRecord, dnsRecordsFor } from './verification/dns-records.ts';
