import type { Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import { measuredGauges } from '../base/measured-gauges.ts';
import { skipScan } from '../base/db/skip-scan.ts';

interface QueueMetricsOptions {
  db: Database;
  registry: Registry;
  clock: Clock;
  log: Log;
  /** Mails from which on states are estimated from a sample. */
  exact_up_to?: number | undefined;
}

const states = ['due', 'leased', 'waiting', 'scheduled', 'held'] as const;
type QueueFigures = Record<(typeof states)[number] | 'depth' | 'oldest_seconds', number>;

/** A full count of so many takes 50 ms. */
const exactUpTo = 200_000;
const maxLanes = 5_000;
const statementTimeoutMs = 5_000;

/** Depth and age of the queue of the installation. Their cost is bounded, whatever waits. */
export function watchQueue({ db, registry, clock, log, exact_up_to = exactUpTo }: QueueMetricsOptions): void {
  const gauge = measuredGauges<QueueFigures>({
    db,
    registry,
    log,
    name: 'queue',
    measure: async () => await examine(db, { now: clock.now(), exact_up_to }),
    show(figures) {
      depth.set(figures.depth);
      for (const state of states) queued.set({ state }, figures[state]);
      oldest.set(figures.oldest_seconds);
    },
  });
  const depth = gauge('chasqui_queue_depth', 'Mails in the queue, held ones included.');
  const queued = gauge(
    'chasqui_queue_mails',
    'Mails in the queue by state: due, leased by a node, waiting for their next attempt, scheduled for later, or held.',
    ['state'],
  );
  const oldest = gauge('chasqui_queue_oldest_seconds', 'How long the mail that is most overdue has waited.');
}

interface Examining {
  now: Date;
  exact_up_to: number;
}

async function examine(db: Database, { now, exact_up_to }: Examining): Promise<QueueFigures> {
  return await db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = ${statementTimeoutMs}`);
    const oldest_seconds = await readAge(tx, now);
    const rows = await estimateRows(tx);
    const counts =
      rows <= exact_up_to
        ? await count(tx, now)
        : await estimate(tx, { now, rows, sampled: exact_up_to / 4 });
    return { ...counts, oldest_seconds };
  });
}

/** The first mail of each ready lane, and the first that waits for its lane: one index probe each. */
const age = `
  with recursive ${skipScan({
    as: 'lane',
    table: 'queue',
    columns: ['ready_priority', 'instance_id', 'destination'],
    where: 'ready_priority is not null',
  })}, first_due as (
    select found.due_at from (select * from lane limit ${maxLanes}) as lane cross join lateral (
      select due_at from queue q
      where q.ready_priority = lane.ready_priority and q.instance_id = lane.instance_id and q.destination = lane.destination
      order by due_at limit 1
    ) as found
    union all
    (select due_at from queue where ready_priority is null and held_since is null order by due_at limit 1)
  )
  select greatest(0, coalesce(extract(epoch from $1 - min(due_at)), 0))::float8 as seconds from first_due`;

async function readAge(tx: Queryable, now: Date): Promise<number> {
  const [row] = await tx.query<{ seconds: number }>(age, [now]);
  return row?.seconds ?? 0;
}

/** As the planner does: the rows per page of the last analysis, times the pages of today. */
async function estimateRows(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `select (case when reltuples > 0 and relpages > 0 then reltuples / relpages else 60 end
       * (pg_relation_size(oid) / current_setting('block_size')::integer))::float8 as rows
     from pg_class where oid = 'queue'::regclass`,
  );
  return row?.rows ?? 0;
}

const neverTried = 'attempts = 0 and last_error is null';
const columns = `
  count(*)::float8 as depth,
  (count(*) filter (where held_since is not null))::float8 as held,
  (count(*) filter (where held_since is null and due_at > $1 and lease is not null))::float8 as leased,
  (count(*) filter (where held_since is null and due_at <= $1))::float8 as due,
  (count(*) filter (where held_since is null and due_at > $1 and lease is null and not (${neverTried})))::float8 as waiting,
  (count(*) filter (where held_since is null and due_at > $1 and lease is null and ${neverTried}))::float8 as scheduled`;
type Counts = Omit<QueueFigures, 'oldest_seconds'>;

async function count(tx: Queryable, now: Date): Promise<Counts> {
  const [row] = await tx.query<Counts>(`select ${columns} from queue`, [now]);
  return row as Counts;
}

interface Estimating {
  now: Date;
  rows: number;
  sampled: number;
}

/** From a sample of pages; what alerts compare with small numbers is counted, as far as it is exact. */
async function estimate(tx: Queryable, { now, rows, sampled }: Estimating): Promise<Counts> {
  const share = Math.min(1, sampled / rows);
  const [row] = await tx.query<Counts>(`select ${columns} from queue tablesample system ($2)`, [
    now,
    share * 100,
  ]);
  const sample = row as Counts;
  const names = ['depth', ...states] as const;
  const scaled = Object.fromEntries(names.map((name) => [name, Math.round(sample[name] / share)])) as Counts;
  const [few] = await tx.query<{ due: number; held: number }>(
    `select
       (select count(*) from (select from queue where ready_priority is not null limit $2) as ready)
         + (select count(*) from (
             select from queue where ready_priority is null and held_since is null and due_at <= $1 limit $2) as due) as due,
       (select count(*) from (select from queue where held_since is not null limit $2) as held) as held`,
    [now, sampled],
  );
  for (const state of ['due', 'held'] as const) {
    const counted = few?.[state] ?? 0;
    if (counted < sampled) scaled[state] = counted;
  }
  return scaled;
}
