import { refuseBeyond, type SharedBuckets } from '../limits/index.ts';
import type { DomainsContext } from './domain-routes.ts';

export interface LookUpContext extends DomainsContext {
  buckets: SharedBuckets;
}

/** A look-up asks our resolvers up to twenty questions about names that the caller chose. */
const limits = { rate: 0.5, burst: 30 };

/** Under the rate of the instance, and beside its validations, which hold the same sockets. */
export async function limitLookUps<T>(
  { buckets, validations }: LookUpContext,
  instanceId: number,
  work: () => Promise<T>,
): Promise<T> {
  refuseBeyond(await buckets.take(`dns_look_ups ${instanceId}`, 1, limits));
  return await validations(instanceId, work);
}
