import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Node } from '../base/engine/node.ts';
import { createWorker, type Worker } from '../base/engine/worker.ts';
import type { Log } from '../base/log.ts';
import { claimBroadcasts, type ClaimedBroadcast, endTurn } from './claim-broadcasts.ts';
import { takeTurn, type TurnContext, type TurnEnd, turnLimits } from './take-turn.ts';
import { channel } from './wake-runners.ts';

interface RunnerOptions extends Omit<TurnContext, 'limits'> {
  db: Database;
  notifications: Notifications;
  log: Log;
  node: Pick<Node, 'claim'>;
  limits?: TurnContext['limits'];
  poll_every_ms?: number;
}

/** Of a process. What waits for its pace or for delivery takes no turn. */
const concurrency = 2;
/** Longer than any turn takes: the longest is the snapshot of a large audience. */
const leaseMs = 120_000;

interface EndedTurn extends TurnEnd {
  broadcast: ClaimedBroadcast;
}

/** Works on broadcasts that are due, a turn each; nodes divide them by leases. */
export function createBroadcastRunner(options: RunnerOptions): Worker<ClaimedBroadcast> {
  const { db, notifications, clock, log, node, limits = turnLimits, poll_every_ms = 1_000 } = options;

  async function claim(): Promise<{ items: ClaimedBroadcast[]; wait_ms: number }> {
    const count = concurrency - worker.unfinished();
    if (count <= 0) return { items: [], wait_ms: poll_every_ms };
    const items = await node.claim(
      async (lease) => await claimBroadcasts(db, { lease, count, now: clock.now(), lease_ms: leaseMs }),
    );
    return { items, wait_ms: poll_every_ms };
  }

  async function attempt(broadcast: ClaimedBroadcast): Promise<EndedTurn> {
    const end = await takeTurn({ ...options, limits }, broadcast);
    if (end.error !== undefined)
      log.warn({ broadcast_id: broadcast.id, reason: end.error }, 'a broadcast waits');
    return { broadcast, ...end };
  }

  const worker = createWorker<ClaimedBroadcast, EndedTurn, void>({
    name: 'broadcasts',
    log,
    claim,
    attempt,
    max_recorded: 1,
    lease_ms: leaseMs,
    record: async (ended) => {
      for (const { broadcast, due_at, error } of ended) {
        await endTurn(db, { id: broadcast.id, lease: broadcast.lease, due_at, error });
      }
      return ended.map(() => undefined);
    },
    onFinished: () => worker.wake(),
  });
  return {
    ...worker,
    start() {
      notifications.on(channel, worker.wake);
      notifications.onGap(worker.wake);
      worker.start();
    },
  };
}
