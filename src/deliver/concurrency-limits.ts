import type { Outcome } from '../events/index.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';
import type { ClaimRequest } from '../queue/index.ts';

/** Per claim, from one instance to one destination. */
const max_per_lane = 50;
/** Share of the free slots for one destination: large when it answered recently (responsive), small otherwise (unproven). */
const max_per_destination = 200;
const responsive_share = 1 / 4;
const unproven_share = 1 / 50;
/** The initial number of connections to a provider (`pace/`): more mails would only wait for those. */
const max_per_unproven = 5;
/** Share of all slots for unproven destinations together. */
const unproven_total_share = 0.8;
const responsive_for_ms = 60_000;
/** Share of the slots that broadcast may use; the rest is reserved for transactional mail. */
const broadcast_share = 0.8;
const max_responsive = 5_000;

interface ConcurrencyLimitOptions {
  /** Concurrent attempts, slow ones not counted. */
  slots: number;
  /**
   * An attempt that takes this long mostly waits for an unresponsive server, which costs little more than a socket: it
   * releases its slot, up to `max_slow` such attempts.
   */
  slow_after_ms: number;
  max_slow: number;
  onFreeSlot: () => void;
}

export type Shares = Required<
  Pick<ClaimRequest, 'per_lane' | 'responsive' | 'excluded' | 'excluded_for_broadcast'>
>;

export interface ConcurrencyLimits {
  /** Acquires a slot, also beyond the limits, and returns the function that releases it. */
  acquire(destination: string, urgent: boolean): () => void;
  /** Updates what is known about the destination. */
  learn(destination: string, outcome: Outcome, now: number): void;
  /** Free slots. */
  free(): number;
  /** Free slots that broadcast may use. */
  freeForBroadcast(): number;
  /** Whether another attempt to this destination is within the limits. */
  canAcquire(destination: string, urgent: boolean, now: number): boolean;
  /**
   * Limits per destination for the next claim. A responsive destination is excluded until it is down to half of its
   * share: a few large claims cost much less than many small ones.
   */
  shares(now: number): Shares;
}

interface Attempt {
  slow_at: number;
  /** 1 when its destination was unproven. */
  unproven: 0 | 1;
  state: 'has_slot' | 'slow';
}

/** Divides the delivery slots of a process between destinations. */
export function createConcurrencyLimits({
  slots,
  slow_after_ms,
  max_slow,
  onFreeSlot,
}: ConcurrencyLimitOptions): ConcurrencyLimits {
  const attempts = new Map<string, number>();
  /** Counted separately: urgent mail does not wait for slots that broadcast to the same destination uses. */
  const urgentAttempts = new Map<string, number>();
  /** Throttled destinations and until when: excluded, so that their mail is not claimed just to be postponed. */
  const throttled = new Map<string, number>();
  /** Destinations that replied recently, and until when that counts. */
  const responsive = new BoundedMap<string, number>({ max_entries: max_responsive });
  let used = 0;
  let usedByUnproven = 0;
  let slow = 0;
  /** Attempts that are not slow yet, oldest first. */
  const recent = new Set<Attempt>();
  let timer: NodeJS.Timeout | undefined;

  const freeForBroadcast = (): number => Math.floor(slots * broadcast_share - used);
  const responsiveLimit = (free: number): number =>
    Math.min(max_per_destination, Math.ceil(free * responsive_share));
  const unprovenLimit = (free: number): number =>
    usedByUnproven < slots * unproven_total_share
      ? Math.min(max_per_unproven, Math.ceil(free * unproven_share))
      : 0;

  function count(destination: string, urgent: boolean, change: 1 | -1): void {
    for (const map of urgent ? [attempts, urgentAttempts] : [attempts]) {
      const number = (map.get(destination) ?? 0) + change;
      if (number <= 0) map.delete(destination);
      else map.set(destination, number);
    }
  }

  function releaseSlot({ unproven }: Attempt): void {
    [used, usedByUnproven] = [used - 1, usedByUnproven - unproven];
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  /** One timer for all attempts: most finish before it fires. */
  function markSlow(): void {
    timer = undefined;
    const now = performance.now();
    for (const attempt of recent) {
      if (attempt.slow_at > now) {
        timer = setTimeout(markSlow, attempt.slow_at - now);
        return;
      }
      recent.delete(attempt);
      if (slow >= max_slow) continue;
      attempt.state = 'slow';
      slow += 1;
      releaseSlot(attempt);
      onFreeSlot();
    }
  }

  return {
    acquire(destination, urgent) {
      const unproven = responsive.has(destination) ? 0 : 1;
      const attempt: Attempt = { slow_at: performance.now() + slow_after_ms, unproven, state: 'has_slot' };
      count(destination, urgent, 1);
      [used, usedByUnproven] = [used + 1, usedByUnproven + unproven];
      recent.add(attempt);
      timer ??= setTimeout(markSlow, slow_after_ms);
      return () => {
        recent.delete(attempt);
        if (recent.size === 0) stopTimer();
        count(destination, urgent, -1);
        if (attempt.state === 'has_slot') releaseSlot(attempt);
        else slow -= 1;
        onFreeSlot();
      };
    },
    learn(destination, outcome, now) {
      // Other reasons to postpone are about the mail, not about its destination.
      if (outcome.verdict === 'postponed' && outcome.reason === 'paced')
        throttled.set(destination, outcome.next_attempt_at.getTime());
      if (outcome.details.smtp_code === undefined) {
        responsive.delete(destination);
        return;
      }
      responsive.set(destination, now + responsive_for_ms);
    },
    free: () => slots - used,
    freeForBroadcast,
    canAcquire(destination, urgent, now) {
      const free = slots - used;
      if ((urgent ? free : freeForBroadcast()) <= 0) return false;
      if ((throttled.get(destination) ?? 0) > now) return false;
      const limit = (responsive.get(destination) ?? 0) > now ? responsiveLimit(free) : unprovenLimit(free);
      return ((urgent ? urgentAttempts : attempts).get(destination) ?? 0) < limit;
    },
    shares(now) {
      for (const map of [throttled, responsive]) {
        for (const destination of map.keys()) {
          if ((map.get(destination) ?? 0) <= now) map.delete(destination);
        }
      }
      const free = slots - used;
      const forResponsive = responsiveLimit(free);
      const forUnproven = unprovenLimit(free);
      const full = (map: Map<string, number>): string[] =>
        [...map]
          .filter(
            ([name, number]) =>
              number >= (responsive.has(name) ? forResponsive / 2 : Math.max(1, forUnproven)),
          )
          .map(([name]) => name);
      return {
        per_lane: forUnproven,
        responsive: {
          destinations: [...responsive.keys()],
          per_lane: Math.min(max_per_lane, forResponsive),
        },
        excluded: [...full(urgentAttempts), ...throttled.keys()],
        excluded_for_broadcast: full(attempts),
      };
    },
  };
}
