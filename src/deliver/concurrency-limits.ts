import { Slots } from '../base/engine/slots.ts';
import type { Outcome } from '../events/index.ts';
import { Counts } from '../protocol/counts.ts';
import type { ClaimRequest } from '../queue/index.ts';

/** Per claim, from one instance to one destination. */
const maxPerLane = 50;
/** Share of the free slots for one destination: large when it is responsive, small when it is unproven (`Slots`). */
const maxPerDestination = 200;
const responsiveShare = 1 / 4;
const unproven_share = 1 / 50;
/** The initial number of connections to a provider (`pace/`): more mails would only wait for those. */
const maxPerUnproven = 5;
/** Share of all slots for unproven destinations together. */
const unprovenTotalShare = 0.8;
/** Share of the slots that is reserved for transactional mail. */
const transactionalShare = 0.2;

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
  /** Updates what is known about the destination. Times of this interface are monotonic. */
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
  /** Undefined once it is slow. */
  releaseSlot: (() => void) | undefined;
}

/** Divides the delivery slots of a process between destinations. */
export function createConcurrencyLimits({
  slots: total,
  slow_after_ms,
  max_slow,
  onFreeSlot,
}: ConcurrencyLimitOptions): ConcurrencyLimits {
  const slots = new Slots<string>({ slots: total, unproven_share: unprovenTotalShare });
  const attempts = new Counts<string>();
  /** Counted separately: urgent mail does not wait for slots that broadcast to the same destination uses. */
  const urgentAttempts = new Counts<string>();
  /** Throttled destinations and until when: excluded, so that their mail is not claimed just to be postponed. */
  const throttled = new Map<string, number>();
  let slow = 0;
  /** Attempts that are not slow yet, oldest first. */
  const recent = new Set<Attempt>();
  let timer: NodeJS.Timeout | undefined;

  const freeForBroadcast = (): number => Math.floor(slots.free - total * transactionalShare);
  const responsiveLimit = (free: number): number =>
    Math.min(maxPerDestination, Math.ceil(free * responsiveShare));
  const unprovenLimit = (free: number): number =>
    slots.hasUnprovenShare ? Math.min(maxPerUnproven, Math.ceil(free * unproven_share)) : 0;

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
      if (slow >= max_slow || !attempt.releaseSlot) continue;
      attempt.releaseSlot();
      attempt.releaseSlot = undefined;
      slow += 1;
      onFreeSlot();
    }
  }

  return {
    acquire(destination, urgent) {
      const slow_at = performance.now() + slow_after_ms;
      const attempt: Attempt = { slow_at, releaseSlot: slots.acquire(destination) };
      attempts.add(destination);
      if (urgent) urgentAttempts.add(destination);
      recent.add(attempt);
      timer ??= setTimeout(markSlow, slow_after_ms);
      return () => {
        recent.delete(attempt);
        if (recent.size === 0) stopTimer();
        attempts.remove(destination);
        if (urgent) urgentAttempts.remove(destination);
        if (attempt.releaseSlot) attempt.releaseSlot();
        else slow -= 1;
        onFreeSlot();
      };
    },
    learn(destination, outcome, now) {
      // Other reasons to postpone are about the mail, not about its destination.
      if (outcome.verdict === 'postponed' && outcome.reason === 'paced')
        throttled.set(destination, now + outcome.next_attempt_at.getTime() - outcome.at.getTime());
      slots.learn(destination, outcome.details.smtp_code !== undefined, now);
    },
    free: () => slots.free,
    freeForBroadcast,
    canAcquire(destination, urgent, now) {
      const { free } = slots;
      if ((urgent ? free : freeForBroadcast()) <= 0) return false;
      if ((throttled.get(destination) ?? 0) > now) return false;
      const limit = slots.isResponsive(destination, now) ? responsiveLimit(free) : unprovenLimit(free);
      return (urgent ? urgentAttempts : attempts).of(destination) < limit;
    },
    shares(now) {
      for (const [destination, until] of throttled) if (until <= now) throttled.delete(destination);
      const destinations = slots.responsiveTargets(now);
      const { free } = slots;
      const forResponsive = responsiveLimit(free);
      const forUnproven = unprovenLimit(free);
      const full = (counts: Counts<string>): string[] =>
        [...counts.entries()]
          .filter(
            ([name, number]) =>
              number >= (slots.isResponsive(name, now) ? forResponsive / 2 : Math.max(1, forUnproven)),
          )
          .map(([name]) => name);
      return {
        per_lane: forUnproven,
        responsive: {
          destinations,
          per_lane: Math.min(maxPerLane, forResponsive),
        },
        excluded: [...full(urgentAttempts), ...throttled.keys()],
        excluded_for_broadcast: full(attempts),
      };
    },
  };
}
