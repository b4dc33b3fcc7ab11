export {
  createPlanReset,
  planPeriod,
  readPlanUsage,
  releasePlan,
  reservePlan,
  returnToPlan,
} from './plan-usage.ts';
export {
  limitAccountMail,
  limitMailToErased,
  limitPlatformMail,
  limitRequestsOfNetwork,
  MailLimitReached,
  type PlatformMailLimits,
  returnPlatformMail,
} from './platform-mail-limits.ts';
export { refuseBeyond, type SharedBuckets } from './shared-buckets.ts';
