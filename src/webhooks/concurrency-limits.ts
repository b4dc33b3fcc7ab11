import { Slots } from '../base/engine/slots.ts';
import { backoffDelay } from '../protocol/backoff.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';

/** Concurrent deliveries to one webhook that is responsive, and to one that is unproven (`Slots`). */
const perResponsive = 10;
const perUnproven = 2;
const unproven_share = 1 / 2;
/** After this many consecutive failures a webhook gets one delivery at a time, with exponential backoff. */
const failuresToBackOff = 5;
const backoff = { first_ms: 1_000, most_ms: 30_000 };
const maxFailing = 10_000;

interface Failing {
  failures: number;
  backoff_until: number;
}

export interface ConcurrencyLimits {
  /** Returns the function that releases the slot. */
  acquire(webhookId: number): () => void;
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
export function createConcurrencyLimits(total: number): ConcurrencyLimits {
  const slots = new Slots<number>({ slots: total, unproven_share });
  const failing = new BoundedMap<number, Failing>({ max_entries: maxFailing });

  function limitOf(webhookId: number, now: number): number {
    if (slots.isResponsive(webhookId, now)) return perResponsive;
    if (!slots.hasUnprovenShare) return 0;
    const { failures, backoff_until } = failing.get(webhookId) ?? { failures: 0, backoff_until: 0 };
    if (failures < failuresToBackOff) return perUnproven;
    // Further ahead it is only after the clock was set back.
    return backoff_until > now && backoff_until <= now + backoff.most_ms ? 0 : 1;
  }

  return {
    acquire: (webhookId) => slots.acquire(webhookId),
    learn(webhookId, ok, now) {
      slots.learn(webhookId, ok, now);
      if (ok) {
        failing.delete(webhookId);
        return;
      }
      const failures = (failing.get(webhookId)?.failures ?? 0) + 1;
      const beyond = failures - failuresToBackOff + 1;
      const backoffMs = beyond < 1 ? 0 : backoffDelay(beyond, backoff);
      failing.set(webhookId, { failures, backoff_until: now + backoffMs });
    },
    reset(webhookId) {
      slots.learn(webhookId, false, 0);
      failing.delete(webhookId);
    },
    shares(now) {
      const default_limit = slots.hasUnprovenShare ? perUnproven : 0;
      const limits = new Map<number, number>();
      for (const id of new Set([
        ...slots.usedTargets(),
        ...slots.responsiveTargets(now),
        ...failing.keys(),
      ])) {
        const free = Math.max(0, limitOf(id, now) - slots.usedBy(id));
        if (free !== default_limit) limits.set(id, free);
      }
      return { free: slots.free, limits, default_limit };
    },
  };
}
