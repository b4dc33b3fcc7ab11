import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { createLoop, type Loop } from '../base/engine/loop.ts';
import type { Log } from '../base/log.ts';
import { discardDueInPause } from './discard-deliveries.ts';

const sweepEveryMs = 2_000;
/** Per webhook and transaction. */
const maxDiscarded = 1_000;

/** Discards what fell due during pauses. Each webhook is checked again under a lock: it may just have been resumed. */
async function sweepPauses(db: Database, now: Date): Promise<boolean> {
  const paused = await db.query<{ id: number }>(
    `select w.id from webhooks w where not w.is_active and exists (
       select from webhook_deliveries d where d.webhook_id = w.id and d.due_at > w.paused_at and d.due_at <= $1
     )`,
    [now],
  );
  let isMore = false;
  for (const { id } of paused) {
    const discarded = await db.transaction(async (tx) => {
      const [webhook] = await tx.query<{ paused_at: Date }>(
        'select paused_at from webhooks where id = $1 and not is_active for share skip locked',
        [id],
      );
      return webhook ? await discardDueInPause(tx, id, { ...webhook, now, most: maxDiscarded }) : 0;
    });
    isMore ||= discarded === maxDiscarded;
  }
  return isMore;
}

/** Runs on every node; it is idempotent. */
export function createPauseSweep({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Loop {
  return createLoop({
    name: 'discarding deliveries of paused webhooks',
    log,
    step: async () => ((await sweepPauses(db, clock.now())) ? 0 : sweepEveryMs),
  });
}
