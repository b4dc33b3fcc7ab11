import type { Outcome } from '../events/outcome.ts';
import type { ClaimRequest } from '../queue/claim.ts';

/** Of one instance to one destination, in one claim. */
const most_per_lane = 50;
/**
 * What one destination gets of the room that is free: a good part when it took mail of late, little when nobody knows
 * whether it answers at all. So a hundred servers that keep silent still leave room for the others.
 */
const most_per_destination = 200;
const quick_share = 1 / 4;
const unknown_share = 1 / 50;
const quick_for_ms = 60_000;
const most_quick = 5_000;

export interface Room {
  enter(destination: string): void;
  leave(destination: string): void;
  /** What an outcome tells of its destination. */
  learn(destination: string, outcome: Outcome, now: number): void;
  /** Who gets how much of the room that is left, and who gets nothing at present. */
  shares(free: number, now: number): Pick<ClaimRequest, 'per_lane' | 'quick' | 'excluded'>;
}

/** Divides the mails that a process has under way between their destinations. */
export function createRoom(): Room {
  const underWay = new Map<string, number>();
  /** Destinations that asked to be left alone, and until when: their mail need not be claimed to find that out. */
  const resting = new Map<string, number>();
  /** Destinations that said something about a mail of late, and until when that counts. */
  const quick = new Map<string, number>();

  return {
    enter(destination) {
      underWay.set(destination, (underWay.get(destination) ?? 0) + 1);
    },
    leave(destination) {
      const left = (underWay.get(destination) ?? 0) - 1;
      if (left <= 0) underWay.delete(destination);
      else underWay.set(destination, left);
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
    shares(free, now) {
      for (const map of [resting, quick]) {
        for (const [destination, until] of map) if (until <= now) map.delete(destination);
      }
      const much = Math.min(most_per_destination, Math.ceil(free * quick_share));
      const little = Math.ceil(free * unknown_share);
      const full = [...underWay].filter(([name, number]) => number >= (quick.has(name) ? much : little));
      return {
        per_lane: little,
        quick: { destinations: [...quick.keys()], per_lane: Math.min(most_per_lane, much) },
        excluded: [...full.map(([name]) => name), ...resting.keys()],
      };
    },
  };
}
