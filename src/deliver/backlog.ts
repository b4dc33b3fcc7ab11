import { BoundedMap } from '../protocol/bounded-map.ts';
import type { ClaimedMail } from '../queue/index.ts';
import type { Shares } from './concurrency-limits.ts';

/** Destinations with ready mail in the queue, as far as this process knows. */
export interface Backlog {
  has(destination: string): boolean;
  add(destination: string): void;
  /** After a claim that reached the end of the queue: a destination that used less than its share has none left. */
  update(claimed: readonly ClaimedMail[], shares: Shares): void;
}

/** Beyond this the oldest entry is evicted, which lets some mail overtake other mail once. */
const maxDestinations = 50_000;

export function createBacklog(): Backlog {
  const waiting = new BoundedMap<string, true>({ max_entries: maxDestinations });
  return {
    has: (destination) => waiting.has(destination),
    add: (destination) => waiting.set(destination, true),
    update(claimed, { per_lane, responsive, excluded, excluded_for_broadcast }) {
      if (waiting.size === 0) return;
      const skipped = new Set([...excluded, ...excluded_for_broadcast]);
      const isResponsive = new Set(responsive.destinations);
      const counts = Map.groupBy(claimed, ({ destination }) => destination);
      for (const destination of waiting.keys()) {
        const share = isResponsive.has(destination) ? responsive.per_lane : per_lane;
        const used = counts.get(destination)?.length ?? 0;
        if (!skipped.has(destination) && used < share) waiting.delete(destination);
      }
    },
  };
}
