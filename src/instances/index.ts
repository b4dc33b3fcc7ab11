export type { InstanceDirectory, SendingTerms } from './instance-directory.ts';
export { getInstance } from './instances.ts';
export { addressAllowed, type IpRange, validateRanges, networks, parseRange } from './ip-allowlist.ts';
export { ensurePlatformInstance } from './platform-instance.ts';
