/** Concurrent deliveries to one webhook that answered recently (responsive). */
const per_responsive = 10;
/** The same for all others (unproven). */
const per_unproven = 2;
/** Share of all slots for unproven webhooks together. */
const unproven_share = 1 / 2;
const responsive_for_ms = 60_000;
/** After this many consecutive failures a webhook gets one delivery at a time, with exponential backoff. */
const failures_to_back_off = 5;
const first_backoff_ms = 1_000;
const max_backoff_ms = 30_000;
const max_endpoints = 10_000;

interface Endpoint {
  running: number;
  failures: number;
  responsive_until: number;
  backoff_until: number;
}

export interface ConcurrencyLimits {
  acquire(webhookId: number): void;
  release(webhookId: number): void;
  learn(webhookId: number, ok: boolean, now: number): void;
  /** Call it when the configuration of a webhook changed: what was learned is out of date. */
  reset(webhookId: number): void;
  /** Free slots in total and per webhook; `default_limit` is for webhooks that are not in `limits`. */
  shares(now: number): { free: number; limits: Map<number, number>; default_limit: number };
}

/**
 * Divides the delivery slots of a process between webhooks: many for responsive ones, few for unproven ones, one at a time
 * for failing ones. Hundreds of dead endpoints together use at most half of the slots.
 */
export function createConcurrencyLimits(slots: number): ConcurrencyLimits {
  const endpoints = new Map<number, Endpoint>();
  let total = 0;

  function endpointOf(webhookId: number): Endpoint {
    const known = endpoints.get(webhookId);
    if (known) return known;
    const endpoint = { running: 0, failures: 0, responsive_until: 0, backoff_until: 0 };
    endpoints.set(webhookId, endpoint);
    return endpoint;
  }

  function limitOf({ failures, responsive_until, backoff_until }: Endpoint, now: number): number {
    if (failures >= failures_to_back_off) return backoff_until > now ? 0 : 1;
    return responsive_until > now ? per_responsive : per_unproven;
  }

  /** Removes entries that say no more than a missing one. */
  function evict(now: number): void {
    if (endpoints.size <= max_endpoints) return;
    for (const [id, { running, responsive_until, backoff_until }] of endpoints) {
      if (running === 0 && responsive_until <= now && backoff_until <= now) endpoints.delete(id);
    }
  }

  return {
    acquire(webhookId) {
      endpointOf(webhookId).running += 1;
      total += 1;
    },
    release(webhookId) {
      endpointOf(webhookId).running -= 1;
      total -= 1;
    },
    learn(webhookId, ok, now) {
      const endpoint = endpointOf(webhookId);
      if (ok) {
        endpoint.failures = 0;
        endpoint.responsive_until = now + responsive_for_ms;
        return;
      }
      endpoint.responsive_until = 0;
      endpoint.failures += 1;
      const beyond = endpoint.failures - failures_to_back_off;
      if (beyond >= 0) {
        const backoff = Math.min(max_backoff_ms, first_backoff_ms * 2 ** Math.min(beyond, 10));
        endpoint.backoff_until = now + backoff;
      }
    },
    reset(webhookId) {
      const endpoint = endpoints.get(webhookId);
      if (endpoint) Object.assign(endpoint, { failures: 0, responsive_until: 0, backoff_until: 0 });
    },
    shares(now) {
      evict(now);
      let unproven = 0;
      for (const { running, responsive_until } of endpoints.values()) {
        if (responsive_until <= now) unproven += running;
      }
      const isFull = unproven >= slots * unproven_share;
      const default_limit = isFull ? 0 : per_unproven;
      const limits = new Map<number, number>();
      for (const [id, endpoint] of endpoints) {
        const limit = isFull && endpoint.responsive_until <= now ? 0 : limitOf(endpoint, now);
        const free = Math.max(0, limit - endpoint.running);
        if (free !== default_limit) limits.set(id, free);
      }
      return { free: slots - total, limits, default_limit };
    },
  };
}
