import type { Outcome } from '../events/outcome.ts';
import type { ClaimRequest } from '../queue/claim.ts';

/** Of one instance to one destination, in one claim. */
const most_per_lane = 50;
/**
 * What one destination gets of the room that is free: a good part when it took mail of late, little when nobody knows
 * whether it answers at all.
 */
const most_per_destination = 200;
const quick_share = 1 / 4;
const unknown_share = 1 / 50;
/** As many as there are connections to a provider at first: more would only wait for those. */
const most_per_unknown = 5;
/** What all those together get of which nobody knows: the rest is for destinations that took mail of late. */
const unknown_together = 0.8;
const quick_for_ms = 60_000;
/** Part of the room that broadcast may fill. */
const broadcast_share = 0.8;
const most_quick = 5_000;

interface RoomOptions {
  /** Mails under way at the same time, those not counted that have been waiting for long. */
  places: number;
  /**
   * A mail that is under way for this long mostly waits for a server that keeps silent, which costs a socket and little
   * else: it gives its place up to another one, as long as there are not too many such.
   */
  slow_after_ms: number;
  most_slow: number;
  /** There is room again. */
  onRoom: () => void;
}

export type Shares = Required<
  Pick<ClaimRequest, 'per_lane' | 'quick' | 'excluded' | 'excluded_for_broadcast'>
>;

export interface Room {
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

/** Divides the mails that a process has under way between their destinations. */
export function createRoom({ places, slow_after_ms, most_slow, onRoom }: RoomOptions): Room {
  const underWay = new Map<string, number>();
  /** Of them those that are urgent: they do not wait for room that broadcast to the same place has taken. */
  const urgentUnderWay = new Map<string, number>();
  /** Destinations that asked to be left alone, and until when: their mail need not be claimed to find that out. */
  const resting = new Map<string, number>();
  /** Destinations that said something about a mail of late, and until when that counts. */
  const quick = new Map<string, number>();
  let taken = 0;
  let takenByUnknown = 0;
  let slow = 0;

  const freeForBroadcast = (): number => Math.floor(places * broadcast_share - taken);
  const muchOf = (free: number): number => Math.min(most_per_destination, Math.ceil(free * quick_share));
  const littleOf = (free: number): number =>
    takenByUnknown < places * unknown_together
      ? Math.min(most_per_unknown, Math.ceil(free * unknown_share))
      : 0;

  function count(destination: string, urgent: boolean, change: 1 | -1): void {
    for (const map of urgent ? [underWay, urgentUnderWay] : [underWay]) {
      const number = (map.get(destination) ?? 0) + change;
      if (number <= 0) map.delete(destination);
      else map.set(destination, number);
    }
  }

  return {
    enter(destination, urgent) {
      const unknown = quick.has(destination) ? 0 : 1;
      let holds = true;
      let isSlow = false;
      const giveUp = (): void => {
        if (holds) [taken, takenByUnknown] = [taken - 1, takenByUnknown - unknown];
        holds = false;
      };
      count(destination, urgent, 1);
      [taken, takenByUnknown] = [taken + 1, takenByUnknown + unknown];
      const timer = setTimeout(() => {
        if (slow >= most_slow) return;
        isSlow = true;
        slow += 1;
        giveUp();
        onRoom();
      }, slow_after_ms);
      return () => {
        clearTimeout(timer);
        count(destination, urgent, -1);
        giveUp();
        if (isSlow) slow -= 1;
        onRoom();
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
      if (quick.size >= most_quick) quick.clear();
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
        for (const [destination, until] of map) if (until <= now) map.delete(destination);
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
        quick: { destinations: [...quick.keys()], per_lane: Math.min(most_per_lane, much) },
        excluded: [...full(urgentUnderWay), ...resting.keys()],
        excluded_for_broadcast: full(underWay),
      };
    },
  };
}
