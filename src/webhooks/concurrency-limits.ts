/** Deliveries to one webhook under way at the same time in this process. */
const per_webhook = 10;
/** The same while nobody knows whether it answers. */
const per_unknown = 2;
/** Of all deliveries under way, those to webhooks that have not answered of late. */
const unknown_share = 1 / 2;
/** An answer tells for this long that the next one will come too. */
const known_for_ms = 60_000;
/** So many failures in a row, and the webhook is asked one delivery at a time, with rests in between. */
const failures_to_rest = 5;
const first_rest_ms = 1_000;
const max_rest_ms = 30_000;
const max_remembered = 10_000;

interface Endpoint {
  under_way: number;
  failures: number;
  good_until: number;
  rest_until: number;
}

export interface ConcurrencyLimits {
  enter(webhookId: number): void;
  leave(webhookId: number): void;
  learn(webhookId: number, ok: boolean, now: number): void;
  /** Whatever was learned was about how the webhook was before: it begins anew. */
  forget(webhookId: number): void;
  /** How many deliveries each webhook may be given now; `others` is for those that are not in the map. */
  shares(now: number): { free: number; room: Map<number, number>; others: number };
}

/**
 * Divides the deliveries that a process has under way between their webhooks: much for those that answer, little for
 * those of which nothing is known, one now and then for those that fail. Hundreds of dead endpoints together take
 * half of the room at most.
 */
export function createConcurrencyLimits(max_under_way: number): ConcurrencyLimits {
  const endpoints = new Map<number, Endpoint>();
  let total = 0;

  function endpointOf(webhookId: number): Endpoint {
    const known = endpoints.get(webhookId);
    if (known) return known;
    const endpoint = { under_way: 0, failures: 0, good_until: 0, rest_until: 0 };
    endpoints.set(webhookId, endpoint);
    return endpoint;
  }

  function limitOf({ failures, good_until, rest_until }: Endpoint, now: number): number {
    if (failures >= failures_to_rest) return rest_until > now ? 0 : 1;
    return good_until > now ? per_webhook : per_unknown;
  }

  /** Endpoints of which there is nothing to remember but that they were there. */
  function clearAway(now: number): void {
    if (endpoints.size <= max_remembered) return;
    for (const [id, { under_way, good_until, rest_until }] of endpoints) {
      if (under_way === 0 && good_until <= now && rest_until <= now) endpoints.delete(id);
    }
  }

  return {
    enter(webhookId) {
      endpointOf(webhookId).under_way += 1;
      total += 1;
    },
    leave(webhookId) {
      endpointOf(webhookId).under_way -= 1;
      total -= 1;
    },
    learn(webhookId, ok, now) {
      const endpoint = endpointOf(webhookId);
      if (ok) {
        endpoint.failures = 0;
        endpoint.good_until = now + known_for_ms;
        return;
      }
      endpoint.good_until = 0;
      endpoint.failures += 1;
      const beyond = endpoint.failures - failures_to_rest;
      if (beyond >= 0) {
        endpoint.rest_until = now + Math.min(max_rest_ms, first_rest_ms * 2 ** Math.min(beyond, 10));
      }
    },
    forget(webhookId) {
      const endpoint = endpoints.get(webhookId);
      if (endpoint) Object.assign(endpoint, { failures: 0, good_until: 0, rest_until: 0 });
    },
    shares(now) {
      clearAway(now);
      let unknown = 0;
      for (const { under_way, good_until } of endpoints.values()) if (good_until <= now) unknown += under_way;
      const isFull = unknown >= max_under_way * unknown_share;
      const others = isFull ? 0 : per_unknown;
      const room = new Map<number, number>();
      for (const [id, endpoint] of endpoints) {
        const limit = isFull && endpoint.good_until <= now ? 0 : limitOf(endpoint, now);
        const free = Math.max(0, limit - endpoint.under_way);
        if (free !== others) room.set(id, free);
      }
      return { free: max_under_way - total, room, others };
    },
  };
}
