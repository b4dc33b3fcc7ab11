import type { Outcome } from '../events/index.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';
import type { ClaimRequest } from '../queue/index.ts';

/** Of one instance to one destination, in one claim. */
const max_per_lane = 50;
/**
 * What one destination gets of the room that is free: a good part when it took mail of late, little when nobody knows
 * whether it answers at all.
 */
const max_per_destination = 200;
const quick_share = 1 / 4;
const unknown_share = 1 / 50;
/** As many as there are connections to a provider at first: more would only wait for those. */
const max_per_unknown = 5;
/** What all those together get of which nobody knows: the rest is for destinations that took mail of late. */
const unknown_together = 0.8;
const quick_for_ms = 60_000;
/** Part of the room that broadcast may fill. */
const broadcast_share = 0.8;
const max_quick = 5_000;

interface ConcurrencyLimitOptions {
  /** Mails under way at the same time, those not counted that have been waiting for long. */
  places: number;
  /**
   * A mail that is under way for this long mostly waits for a server that keeps silent, which costs a socket and little
   * else: it gives its place up to another one, as long as there are not too many such.
   */
  slow_after_ms: number;
  max_slow: number;
  /** There is room again. */
  onFreeSlot: () => void;
}

export type Shares = Required<
  Pick<ClaimRequest, 'per_lane' | 'quick' | 'excluded' | 'excluded_for_broadcast'>
>;

export interface ConcurrencyLimits {
  /** Takes a place; the function given back leaves it. */
  enter(destination: string, urgent: boolean): () => void;
  /** What an outcome tells of its destination. */
  learn(destination: string, outcome: Outcome, now: number): void;
  /** Places that are not taken. */
  free(): number;
  /** Of those the ones that broadcast may take: the rest is kept for what cannot wait. */
  freeForBroadcast(): number;
  /** Whether one more to this destination may take one of them now. */
  mayEnter(destination: string, urgent: boolean, now: number): boolean;
  /**
   * Who gets how much of the room that is left, and who gets nothing at present. A quick destination gets nothing until
   * it has come down to half of what it may have: few claims of many cost much less than many of a few.
   */
  shares(now: number): Shares;
}

interface Holder {
  slow_at: number;
  /** 1 when nobody knew whether its destination answers. */
  unknown: 0 | 1;
  state: 'holds' | 'slow';
}

/** Divides the mails that a process has under way between their destinations. */
export function createConcurrencyLimits({
  places,
  slow_after_ms,
  max_slow,
  onFreeSlot,
}: ConcurrencyLimitOptions): ConcurrencyLimits {
  const underWay = new Map<string, number>();
  /** Of them those that are urgent: they do not wait for room that broadcast to the same place has taken. */
  const urgentUnderWay = new Map<string, number>();
  /** Destinations that asked to be left alone, and until when: their mail need not be claimed to find that out. */
  const resting = new Map<string, number>();
  /** Destinations that said something about a mail of late, and until when that counts. */
  const quick = new BoundedMap<string, number>({ max_entries: max_quick });
  let taken = 0;
  let takenByUnknown = 0;
  let slow = 0;
  /** Those that hold a place, but for who had it for long, in the order in which they came. */
  const prompt = new Set<Holder>();
  let timer: NodeJS.Timeout | undefined;

  const freeForBroadcast = (): number => Math.floor(places * broadcast_share - taken);
  const muchOf = (free: number): number => Math.min(max_per_destination, Math.ceil(free * quick_share));
  const littleOf = (free: number): number =>
    takenByUnknown < places * unknown_together
      ? Math.min(max_per_unknown, Math.ceil(free * unknown_share))
      : 0;

  function count(destination: string, urgent: boolean, change: 1 | -1): void {
    for (const map of urgent ? [underWay, urgentUnderWay] : [underWay]) {
      const number = (map.get(destination) ?? 0) + change;
      if (number <= 0) map.delete(destination);
      else map.set(destination, number);
    }
  }

  function giveUp({ unknown }: Holder): void {
    [taken, takenByUnknown] = [taken - 1, takenByUnknown - unknown];
  }

  function stopLooking(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  /** One timer for all of them: most leave before it fires. */
  function findSlow(): void {
    timer = undefined;
    const now = performance.now();
    for (const holder of prompt) {
      if (holder.slow_at > now) {
        timer = setTimeout(findSlow, holder.slow_at - now);
        return;
      }
      prompt.delete(holder);
      if (slow >= max_slow) continue;
      holder.state = 'slow';
      slow += 1;
      giveUp(holder);
      onFreeSlot();
    }
  }

  return {
    enter(destination, urgent) {
      const unknown = quick.has(destination) ? 0 : 1;
      const holder: Holder = { slow_at: performance.now() + slow_after_ms, unknown, state: 'holds' };
      count(destination, urgent, 1);
      [taken, takenByUnknown] = [taken + 1, takenByUnknown + unknown];
      prompt.add(holder);
      timer ??= setTimeout(findSlow, slow_after_ms);
      return () => {
        prompt.delete(holder);
        if (prompt.size === 0) stopLooking();
        count(destination, urgent, -1);
        if (holder.state === 'holds') giveUp(holder);
        else slow -= 1;
        onFreeSlot();
      };
    },
    learn(destination, outcome, now) {
      // Other reasons to postpone are the mail's own: other mail may go there.
      if (outcome.verdict === 'postponed' && outcome.reason === 'paced')
        resting.set(destination, outcome.next_attempt_at.getTime());
      if (outcome.details.smtp_code === undefined) {
        quick.delete(destination);
        return;
      }
      quick.set(destination, now + quick_for_ms);
    },
    free: () => places - taken,
    freeForBroadcast,
    mayEnter(destination, urgent, now) {
      const free = places - taken;
      if ((urgent ? free : freeForBroadcast()) <= 0) return false;
      if ((resting.get(destination) ?? 0) > now) return false;
      const limit = (quick.get(destination) ?? 0) > now ? muchOf(free) : littleOf(free);
      return ((urgent ? urgentUnderWay : underWay).get(destination) ?? 0) < limit;
    },
    shares(now) {
      for (const map of [resting, quick]) {
        for (const destination of map.keys()) {
          if ((map.get(destination) ?? 0) <= now) map.delete(destination);
        }
      }
      const free = places - taken;
      const much = muchOf(free);
      const little = littleOf(free);
      const full = (map: Map<string, number>): string[] =>
        [...map]
          .filter(([name, number]) => number >= (quick.has(name) ? much / 2 : Math.max(1, little)))
          .map(([name]) => name);
      return {
        per_lane: little,
        quick: { destinations: [...quick.keys()], per_lane: Math.min(max_per_lane, much) },
        excluded: [...full(urgentUnderWay), ...resting.keys()],
        excluded_for_broadcast: full(underWay),
      };
    },
  };
}
