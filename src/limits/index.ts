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
  limitMailOfNetwork,
  limitMailToErased,
  limitPlatformMail,
  limitRequestsOfNetwork,
  MailLimitReached,
  type PlatformMailLimits,
  returnPlatformMail,
} from './platform-mail-limits.ts';
export { refuseBeyond, type SharedBuckets } from './shared-buckets.ts';
