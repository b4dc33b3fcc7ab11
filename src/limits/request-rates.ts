import type { Caller, OperatorCaller } from '../base/http/access.ts';
import type { InstanceDirectory } from '../instances/index.ts';
import { refuseBeyond, type SharedBuckets } from './shared-buckets.ts';

export interface RequestRates {
  /** Counts a request of an API key against the rate of its instance. */
  ofKey(caller: Caller): Promise<void>;
  /** Counts a request of a user, over all instances. */
  ofUser(caller: Caller | OperatorCaller): Promise<void>;
}

interface RequestRateOptions {
  buckets: SharedBuckets;
  instances: InstanceDirectory;
  /** 0 turns the limit off. */
  panel_requests_per_second: number;
}

/** Request rates over all nodes. */
export function createRequestRates(options: RequestRateOptions): RequestRates {
  const { buckets, instances, panel_requests_per_second } = options;
  return {
    async ofKey({ instance, actor }) {
      const { requests_per_second: rate, requests_burst: burst } = await instances.get(instance.id);
      if (rate === 0) return;
      refuseBeyond(await buckets.take(`requests ${actor.id}`, 1, { rate, burst: Math.max(burst, 1) }));
    },
    async ofUser({ actor }) {
      const rate = panel_requests_per_second;
      if (rate === 0) return;
      refuseBeyond(await buckets.take(`panel ${actor.id}`, 1, { rate, burst: 4 * rate }));
    },
  };
}
