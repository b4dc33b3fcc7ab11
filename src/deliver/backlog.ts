import { BoundedMap } from '../protocol/bounded-map.ts';
import type { ClaimedMail } from '../queue/index.ts';
import type { Shares } from './concurrency-limits.ts';

/** Destinations with mail in the queue that waits for its turn, as far as this process knows. */
export interface Backlog {
  has(destination: string): boolean;
  add(destination: string): void;
  /** After a claim that came to the end of the queue: where a lane gave less than it might have, nothing is left. */
  look(claimed: readonly ClaimedMail[], shares: Shares): void;
}

/** Beyond this the first of them is forgotten, which lets some mail overtake other mail once. */
const max_destinations = 50_000;

export function createBacklog(): Backlog {
  const waiting = new BoundedMap<string, true>({ max_entries: max_destinations });
  return {
    has: (destination) => waiting.has(destination),
    add: (destination) => waiting.set(destination, true),
    look(claimed, { per_lane, quick, excluded, excluded_for_broadcast }) {
      if (waiting.size === 0) return;
      const passedOver = new Set([...excluded, ...excluded_for_broadcast]);
      const isQuick = new Set(quick.destinations);
      const counts = Map.groupBy(claimed, ({ destination }) => destination);
      for (const destination of waiting.keys()) {
        const share = isQuick.has(destination) ? quick.per_lane : per_lane;
        const got = counts.get(destination)?.length ?? 0;
        if (!passedOver.has(destination) && got < share) waiting.delete(destination);
      }
    },
  };
}
