import type { Queryable } from '../base/db/database.ts';
import { skipScan } from '../base/db/skip-scan.ts';
import type { Queue } from './queue-schemas.ts';

interface ViewLimits {
  /** Lanes scanned: a destination with mail of both priorities has two. */
  lanes: number;
  /** Mails counted in each of the long lanes that are counted in full. */
  mails_per_lane: number;
}

const destinationsShown = 100;
const pausedShown = 1_000;
/**
 * Mails sampled per destination for `attempts` and `last_error`: those due last, which were tried most often, and those due
 * first. A retry is due within four hours (`backoff.ts`): what is due later was scheduled, and never tried.
 */
const sampledMails = 20;
const retryHours = 5;
/** Mails counted in every lane before it counts as long. */
const firstCount = 200;
const longLanesCounted = 100;
const defaultLimits: ViewLimits = { lanes: 1_000, mails_per_lane: 100_000 };

/**
 * A skip scan over the index, as in a claim. Every lane is counted up to `first_count`; of the long ones the most overdue
 * are counted on, up to their limit. The cost is bounded whatever the queue's length: a million mails take 50 ms in two
 * lanes and 150 ms in 900, about four times that before a vacuum.
 */
const lanes = `
  with recursive ${skipScan({
    as: 'lane',
    table: 'queue',
    columns: ['destination'],
    where: 'held_since is null and instance_id = $1',
    each: { column: 'priority', values: "unnest('{0,1}'::smallint[])" },
  })}, scanned as materialized (
    select priority, destination from lane limit $2
  ), sized as (
    select scanned.*, found.mails, found.next_due_at,
      row_number() over (partition by found.mails >= $6 order by found.next_due_at) as rank
    from scanned cross join lateral (
      select count(*) as mails, min(due.due_at) as next_due_at from (
        select q.due_at from queue q
        where q.priority = scanned.priority and q.held_since is null and q.instance_id = $1
          and q.destination = scanned.destination
        order by q.due_at limit $6
      ) as due
    ) as found
    where found.mails > 0
  ), counted as (
    select g.destination, sum(greatest(g.mails, long.mails))::bigint as mails, min(g.next_due_at) as next_due_at,
      bool_or(g.mails >= $6 and (g.rank > $7 or long.mails >= $3)) as is_cut
    from sized g cross join lateral (
      select count(*) as mails from (
        select from queue q
        where q.priority = g.priority and q.held_since is null and q.instance_id = $1
          and q.destination = g.destination
        limit case when g.mails >= $6 and g.rank <= $7 then $3::bigint else 0 end
      ) as due
    ) as long
    group by g.destination
  ), shown as (
    select destination, mails, next_due_at, sum(mails) over ()::bigint as depth, min(next_due_at) over () as oldest_due_at,
      bool_or(is_cut) over () or (select count(*) from scanned) >= $2 as is_cut
    from counted order by mails desc, destination limit $4
  )
  select shown.*, late.attempts, late.last_error, late.oldest_id, late.is_under_way, exists (
    select from paused_destinations p where p.instance_id = $1 and p.destination = shown.destination
  ) as is_paused
  from shown cross join lateral (
    select coalesce(max(tried.attempts), 0) as attempts, min(tried.mail_id::text) as oldest_id,
      coalesce(bool_or(tried.lease is not null and tried.due_at > now() and tried.due_at = shown.next_due_at), false) as is_under_way,
      (array_agg(tried.last_error order by tried.attempts desc) filter (where tried.last_error is not null))[1] as last_error
    from unnest('{0,1}'::smallint[]) as p (priority) cross join lateral (
      (select q.mail_id, q.attempts, q.last_error, q.lease, q.due_at from queue q
       where q.priority = p.priority and q.held_since is null and q.instance_id = $1
         and q.destination = shown.destination and q.due_at < now() + interval '${retryHours} hours'
       order by q.due_at desc limit $5)
      union
      (select q.mail_id, q.attempts, q.last_error, q.lease, q.due_at from queue q
       where q.priority = p.priority and q.held_since is null and q.instance_id = $1
         and q.destination = shown.destination
       order by q.due_at limit $5)
    ) as tried
  ) as late
  order by shown.mails desc, shown.destination`;

interface LaneRow extends Omit<Queue['destinations'][number], 'oldest_at'> {
  oldest_id: string;
  depth: number;
  oldest_due_at: Date;
  is_cut: boolean;
}

/** The queue of one instance. */
export async function viewQueue(
  db: Queryable,
  instanceId: number,
  limits: ViewLimits = defaultLimits,
): Promise<Queue> {
  const { lanes: max_lanes, mails_per_lane } = limits;
  const rows = await db.query<LaneRow>(lanes, [
    instanceId,
    max_lanes,
    mails_per_lane,
    destinationsShown,
    sampledMails,
    firstCount,
    longLanesCounted,
  ]);
  const held = await countHeld(db, instanceId, mails_per_lane);
  const [first] = rows;
  return {
    depth: (first?.depth ?? 0) + held,
    is_exact: first?.is_cut !== true && held < mails_per_lane,
    oldest_due_at: first?.oldest_due_at ?? null,
    is_under_way: rows.some(
      ({ is_under_way, next_due_at, oldest_due_at }) =>
        is_under_way && next_due_at.getTime() === oldest_due_at.getTime(),
    ),
    held,
    destinations: rows.map(
      ({ oldest_id, destination, mails, next_due_at, attempts, last_error, is_paused, is_under_way }) => ({
        oldest_at: timeOf(oldest_id),
        destination,
        mails,
        next_due_at,
        attempts,
        last_error,
        is_paused,
        is_under_way,
      }),
    ),
    paused: await listPaused(db, instanceId),
  };
}

/** The moment inside a UUIDv7. */
function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

async function countHeld(db: Queryable, instanceId: number, most: number): Promise<number> {
  const [row] = await db.query<{ held: number }>(
    `select count(*) as held from (
       select from queue where instance_id = $1 and held_since is not null limit $2
     ) as found`,
    [instanceId, most],
  );
  return row?.held ?? 0;
}

async function listPaused(db: Queryable, instanceId: number): Promise<Queue['paused']> {
  return await db.query<Queue['paused'][number]>(
    `select destination, paused_at from paused_destinations where instance_id = $1 order by destination limit $2`,
    [instanceId, pausedShown],
  );
}

/** The instances with mail in the queue, by slug: one index probe each. */
export async function listQueuedInstances(db: Queryable): Promise<{ id: number; slug: string }[]> {
  return await db.query(
    `select i.id, i.slug from instances i
     where exists (select from queue q where q.priority = 0 and q.instance_id = i.id and q.held_since is null)
       or exists (select from queue q where q.priority = 1 and q.instance_id = i.id and q.held_since is null)
       or exists (select from queue q where q.instance_id = i.id and q.held_since is not null)
     order by i.slug`,
  );
}
