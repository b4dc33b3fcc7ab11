import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Node } from '../base/engine/node.ts';
import { type ClaimedMail, createClaim } from '../queue/index.ts';
import type { Backlog } from './backlog.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';
import { loadBatch, type DueMail } from './load-batch.ts';

export interface LoadedMail {
  mail: ClaimedMail;
  /** Undefined when the message is past its retention. */
  due: DueMail | undefined;
}

interface ClaimMailOptions {
  db: Queryable;
  clock: Clock;
  node: Node;
  limits: ConcurrencyLimits;
  backlog: Backlog;
  lease_seconds: number;
}

export interface ClaimMail {
  /** Mail that is due and within the limits. */
  claim(): Promise<LoadedMail[]>;
  /** Whether a freed slot may allow another claim: the last one was limited by slots. */
  isLimited(): boolean;
}

const maxPerClaim = 250;
/** Of the free slots per claim, so that shares are computed again while the slots fill. */
const claimShare = 1 / 4;
/**
 * Minimum interval: under load a large claim costs hardly more than a small one. A single mail is still claimed
 * at once, and after a large claim the next one follows without delay.
 */
const claimEveryMs = 10;
const largeClaim = 50;

/** Decides how much to claim, and when. */
export function createClaimMail(options: ClaimMailOptions): ClaimMail {
  const { clock, node, limits, backlog, lease_seconds } = options;
  const claimFromQueue = createClaim(options.db);
  let isLimited = true;
  let claimedAt = -Infinity;

  async function load(claimed: ClaimedMail[]): Promise<LoadedMail[]> {
    const due = new Map((await loadBatch(options.db, claimed)).map((mail) => [mail.mail_id, mail]));
    return claimed.map((mail) => ({ mail, due: due.get(mail.mail_id) }));
  }

  return {
    isLimited: () => isLimited,
    async claim() {
      const wait = claimedAt + claimEveryMs - performance.now();
      if (wait > 0) await delay(wait);
      const free = limits.free();
      isLimited = true;
      if (free <= 0) return [];
      const began = performance.now();
      const count = Math.min(maxPerClaim, Math.ceil(free * claimShare));
      const shares = limits.shares(performance.now());
      return await node.claim(async (lease) => {
        const now = clock.now();
        const broadcast_count = limits.freeForBroadcast();
        const request = { lease, count, broadcast_count, lease_seconds, ...shares, now };
        const claimed = await claimFromQueue(request);
        isLimited =
          shares.per_lane === 0 || shares.excluded.length + shares.excluded_for_broadcast.length > 0;
        if (claimed.length < count) backlog.update(claimed, shares);
        claimedAt = claimed.length >= largeClaim ? -Infinity : began;
        return claimed.length === 0 ? [] : await load(claimed);
      });
    },
  };
}
