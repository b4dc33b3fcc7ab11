/** From 50 mails a day to over 200,000 in two weeks; after them there is no cap. */
const firstDay = 50;
const days = 13;
const dayMs = 86_400_000;

export interface WarmUp {
  warms_up: boolean;
  /** Undefined until the first mail. */
  first_used_at: Date | null;
}

/** Daily cap of a new source address per provider. It doubles every day; Infinity once the address is warm. */
export function warmUpCap(source: WarmUp, now: Date): number {
  const day = warmUpDay(source, now);
  return !source.warms_up || day >= days ? Infinity : firstDay * 2 ** day;
}

/** Whole days since its first mail, the first being 0. */
export function warmUpDay({ first_used_at }: WarmUp, now: Date): number {
  if (first_used_at === null) return 0;
  return Math.max(0, Math.floor((now.getTime() - first_used_at.getTime()) / dayMs));
}

/** Until the cap rises. */
export function secondsToNextDay(source: WarmUp, now: Date): number {
  const begun = source.first_used_at?.getTime() ?? now.getTime();
  return (begun + (warmUpDay(source, now) + 1) * dayMs - now.getTime()) / 1000;
}
