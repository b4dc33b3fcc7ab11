export { createPlanReset, planPeriod, readPlanUsage, releasePlan, reservePlan } from './plan-usage.ts';
export {
  limitAccountMail,
  limitPlatformMail,
  limitRequestsOfNetwork,
  MailLimitReached,
  type PlatformMailLimits,
  returnPlatformMail,
} from './platform-mail-limits.ts';
export { refuseBeyond, type SharedBuckets } from './shared-buckets.ts';
