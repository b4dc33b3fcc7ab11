export type { InstanceDirectory, SendingTerms } from './instance-directory.ts';
export { hasSecondFactor } from './second-factor-rule.ts';
export { ensurePlatformInstance, getInstance } from './instances.ts';
export { operatorInstancesPath, slugParams } from './operator-instance-schemas.ts';
export {
  addressAllowed,
  canonicalRanges,
  isWithin,
  type IpRange,
  validateRanges,
  networks,
  parseRange,
} from './ip-allowlist.ts';
