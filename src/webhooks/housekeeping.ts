import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import { discardDueInPause } from './discard-deliveries.ts';
import { createPause } from './pause.ts';

/** Contract §9: how long the log of deliveries is kept. */
const kept_ms = 30 * 24 * 3_600_000;
const sweep_every_ms = 2_000;
const purge_every_ms = 60_000;
const batch = 1_000;

/** What falls due in a pause, webhook by webhook; each is looked at again under a lock, since it may be resumed now. */
export async function discardInPauses(db: Database, now: Date): Promise<number> {
  const paused = await db.query<{ id: number }>(
    `select w.id from webhooks w where not w.is_active and exists (
       select from webhook_deliveries d where d.webhook_id = w.id and d.due_at > w.paused_at and d.due_at <= $1
     )`,
    [now],
  );
  let discarded = 0;
  for (const { id } of paused) {
    discarded += await db.transaction(async (tx) => {
      const [webhook] = await tx.query<{ paused_at: Date }>(
        'select paused_at from webhooks where id = $1 and not is_active for share skip locked',
        [id],
      );
      return webhook ? await discardDueInPause(tx, id, { ...webhook, now, most: batch }) : 0;
    });
  }
  return discarded;
}

/** From the oldest on, as long as they are too old. */
export async function purgeOld(db: Database, now: Date): Promise<number> {
  const rows = await db.query(
    `delete from webhook_deliveries where id in (
       select id from webhook_deliveries order by id limit $2
     ) and created_at < $1 returning id`,
    [new Date(now.getTime() - kept_ms), batch],
  );
  return rows.length;
}

/** What deleted webhooks left behind: they are found from webhook to webhook through the index. */
export async function purgeOrphans(db: Database): Promise<number> {
  const rows = await db.query(
    `with recursive owner as (
       (select webhook_id from webhook_deliveries order by webhook_id limit 1)
       union all
       select next.webhook_id from owner cross join lateral (
         select d.webhook_id from webhook_deliveries d where d.webhook_id > owner.webhook_id
         order by d.webhook_id limit 1
       ) as next
     ), orphan as (
       select d.id from owner cross join lateral (
         select id from webhook_deliveries d where d.webhook_id = owner.webhook_id limit $1
       ) as d
       where not exists (select from webhooks w where w.id = owner.webhook_id) limit $1
     )
     delete from webhook_deliveries where id in (select id from orphan) returning id`,
    [batch],
  );
  return rows.length;
}

/** Every node keeps house; what one has done the others find done. */
export function createHousekeeping({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  const pause = createPause();
  let stopping = false;
  let running: Promise<void> | undefined;

  async function untilLess(work: () => Promise<number>): Promise<void> {
    while (!stopping && (await work()) >= batch);
  }

  async function run(): Promise<void> {
    let purged = performance.now();
    while (!stopping) {
      try {
        await untilLess(async () => await discardInPauses(db, clock.now()));
        if (performance.now() - purged > purge_every_ms) {
          purged = performance.now();
          await untilLess(async () => await purgeOld(db, clock.now()));
          await untilLess(async () => await purgeOrphans(db));
        }
      } catch (error) {
        log.warn({ err: error }, 'deliveries of webhooks could not be cleared away');
      }
      await pause.wait(sweep_every_ms);
    }
  }

  return {
    start(): void {
      running = run();
    },
    async stop(): Promise<void> {
      stopping = true;
      pause.end();
      await running;
    },
  };
}
