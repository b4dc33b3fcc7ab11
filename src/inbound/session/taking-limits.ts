import type { SharedBuckets } from '../../limits/index.ts';

/** Messages a second that routes take; 0 turns a limit off. */
export interface TakingRates {
  per_domain: number;
  per_instance: number;
}

interface TakenBy {
  instance_id: number;
  domain_id: number;
}

/** Takes a token of each; false when one has none left. */
export type TakingLimits = (by: TakenBy) => Promise<boolean>;

/** A burst is what a mailing or an alarm brings in at once. */
const burstSeconds = 20;

/** Shared by all nodes. A domain that is flooded has less than its instance, whose other domains go on receiving. */
export function createTakingLimits(
  buckets: SharedBuckets,
  { per_domain, per_instance }: TakingRates,
): TakingLimits {
  const take = async (key: string, rate: number): Promise<boolean> =>
    rate === 0 || (await buckets.take(key, 1, { rate, burst: rate * burstSeconds })).ok;
  return async ({ instance_id, domain_id }) =>
    (await take(`received.domain:${domain_id}`, per_domain)) &&
    (await take(`received.instance:${instance_id}`, per_instance));
}
