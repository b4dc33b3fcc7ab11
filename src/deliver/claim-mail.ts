import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Node } from '../base/engine/node.ts';
import { type ClaimedMail, createClaim } from '../queue/index.ts';
import type { Backlog } from './backlog.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';

interface ClaimMailOptions {
  db: Queryable;
  clock: Clock;
  node: Node;
  room: ConcurrencyLimits;
  backlog: Backlog;
  lease_seconds: number;
}

export interface ClaimMail {
  /** What is due and fits; undefined when there is no room. */
  claim(): Promise<ClaimedMail[] | undefined>;
  /** Whether the last claim passed something over for which there was no room. */
  isHungry(): boolean;
}

const max_per_claim = 250;
/** Of the room that is free, so that what one destination gets is weighed anew while it fills. */
const claim_share = 1 / 4;
/**
 * Under load a claim of many costs hardly more than one of a few; a mail that comes alone is still taken at once. Where
 * there is much to take and room for it, the next claim follows at once.
 */
const claim_every_ms = 10;
const large_claim = 50;

/** How much to take from the queue, and when. */
export function createClaimMail(options: ClaimMailOptions): ClaimMail {
  const { clock, node, room, backlog, lease_seconds } = options;
  const take = createClaim(options.db);
  let isHungry = true;
  let claimed_at = -Infinity;

  async function takeUnderLease(
    count: number,
    shares: ReturnType<ConcurrencyLimits['shares']>,
  ): Promise<ClaimedMail[]> {
    // What is claimed by a node that others take for dead would stand still until the lease expires.
    if (!node.isHeard()) await node.beat();
    const lease = node.newLease();
    const now = clock.now();
    const broadcast_count = room.freeForBroadcast();
    try {
      return await take({ lease, count, broadcast_count, lease_seconds, ...shares, now });
    } catch (error) {
      node.abandon(lease);
      throw error;
    }
  }

  return {
    isHungry: () => isHungry,
    async claim() {
      const wait = claimed_at + claim_every_ms - performance.now();
      if (wait > 0) await delay(wait);
      const free = room.free();
      isHungry = true;
      if (free <= 0) return undefined;
      const began = performance.now();
      const count = Math.min(max_per_claim, Math.ceil(free * claim_share));
      const shares = room.shares(clock.now().getTime());
      const claimed = await takeUnderLease(count, shares);
      isHungry = shares.per_lane === 0 || shares.excluded.length + shares.excluded_for_broadcast.length > 0;
      if (claimed.length < count) backlog.look(claimed, shares);
      claimed_at = claimed.length >= large_claim ? -Infinity : began;
      return claimed;
    },
  };
}
