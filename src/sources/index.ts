export type { SourceAddress } from './source-addresses.ts';
export type { SourceDirectory } from './source-directory.ts';
export type { WarmUpLeases } from './warm-up-leases.ts';
export { secondsToNextDay, warmUpCap } from './warm-up.ts';
