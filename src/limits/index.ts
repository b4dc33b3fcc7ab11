export { createPlanReset, planPeriod, releasePlan, reservePlan } from './plan-usage.ts';
export { limitPlatformMail, MailLimitReached, type PlatformMailLimits } from './platform-mail-limits.ts';
export type { SharedBuckets } from './shared-buckets.ts';
