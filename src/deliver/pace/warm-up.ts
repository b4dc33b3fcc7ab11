export interface WarmUpPlan {
  /** Mails to one provider on the first day. */
  first_day: number;
  /** Days under a cap; after them there is none. */
  days: number;
}

/** From 50 a day to over 200,000 in two weeks. */
export const defaultWarmUp: WarmUpPlan = { first_day: 50, days: 13 };

const DAY_MS = 86_400_000;

/**
 * The most mails that a new source address may send to one provider on a day of its life, the first being 0: twice
 * as many each day, since providers judge an address they do not know by how suddenly it begins.
 */
export function warmUpCap(day: number, plan: WarmUpPlan = defaultWarmUp): number {
  const whole = Math.max(0, Math.floor(day));
  return whole >= plan.days ? Infinity : plan.first_day * 2 ** whole;
}

/** Whole days since an address was first used. */
export function warmUpDay(firstUsedAt: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - firstUsedAt.getTime()) / DAY_MS));
}
