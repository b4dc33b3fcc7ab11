import type { Queryable } from '../base/db/database.ts';

export interface QueuedDestination {
  destination: string;
  mails: number;
  next_due_at: Date;
  /** Attempts made at the mail that was tried most, of those that wait longest. */
  attempts: number;
  /** Why one of them was put off. */
  last_error: string | null;
  is_paused: boolean;
}

export interface PausedDestination {
  destination: string;
  paused_at: Date;
}

export interface QueueView {
  /** Held mail included. */
  depth: number;
  /** False when there is more than is counted: `depth` and `mails` are then what there is at least. */
  is_exact: boolean;
  /** When the first of the mails that are not held was or is due. */
  oldest_due_at: Date | null;
  held: number;
  /** Those with most mail first. */
  destinations: QueuedDestination[];
  paused: PausedDestination[];
}

interface ViewLimits {
  /** Lanes that are looked at: destinations, those with mail of both priorities twice. */
  lanes: number;
  /** Mails that are counted of one lane, when it is one of the long ones that are counted. */
  mails_per_lane: number;
}

const destinations_shown = 100;
const paused_shown = 1_000;
/** A lane that is put off is judged by the mails that wait longest, since those were tried most. */
const mails_judged = 20;
const mails_at_a_glance = 200;
const long_lanes_counted = 100;
const usual: ViewLimits = { lanes: 1_000, mails_per_lane: 100_000 };

/**
 * From lane to lane through the index, as a claim walks it. Each lane is counted up to a glance, and of the long ones
 * those that are most overdue up to their limit. The cost is bounded whatever the queue's length: for a million mails
 * 50 ms in two lanes and 150 ms in 900, some four times that while the table waits to be vacuumed.
 */
const lanes = `
  with recursive lane as (
    select p.priority, first.destination from unnest('{0,1}'::smallint[]) as p (priority)
    cross join lateral (
      select q.destination from queue q
      where q.priority = p.priority and q.held_since is null and q.instance_id = $1
      order by q.destination limit 1
    ) as first
    union all
    select lane.priority, next.destination from lane
    cross join lateral (
      select q.destination from queue q
      where q.priority = lane.priority and q.held_since is null and q.instance_id = $1
        and q.destination > lane.destination
      order by q.destination limit 1
    ) as next
  ), walked as materialized (
    select priority, destination from lane limit $2
  ), glanced as (
    select walked.*, found.mails, found.next_due_at,
      row_number() over (partition by found.mails >= $6 order by found.next_due_at) as turn
    from walked cross join lateral (
      select count(*) as mails, min(due.due_at) as next_due_at from (
        select q.due_at from queue q
        where q.priority = walked.priority and q.held_since is null and q.instance_id = $1
          and q.destination = walked.destination
        order by q.due_at limit $6
      ) as due
    ) as found
    where found.mails > 0
  ), counted as (
    select g.destination, sum(greatest(g.mails, long.mails))::bigint as mails, min(g.next_due_at) as next_due_at,
      bool_or(g.mails >= $6 and (g.turn > $7 or long.mails >= $3)) as is_cut
    from glanced g cross join lateral (
      select count(*) as mails from (
        select from queue q
        where q.priority = g.priority and q.held_since is null and q.instance_id = $1
          and q.destination = g.destination
        limit case when g.mails >= $6 and g.turn <= $7 then $3::bigint else 0 end
      ) as due
    ) as long
    group by g.destination
  ), shown as (
    select destination, mails, next_due_at, sum(mails) over ()::bigint as depth, min(next_due_at) over () as oldest_due_at,
      bool_or(is_cut) over () or (select count(*) from walked) >= $2 as is_cut
    from counted order by mails desc, destination limit $4
  )
  select shown.*, late.attempts, late.last_error, exists (
    select from paused_destinations p where p.instance_id = $1 and p.destination = shown.destination
  ) as is_paused
  from shown cross join lateral (
    select coalesce(max(tried.attempts), 0) as attempts,
      (array_agg(tried.last_error order by tried.attempts desc) filter (where tried.last_error is not null))[1] as last_error
    from unnest('{0,1}'::smallint[]) as p (priority) cross join lateral (
      select q.attempts, q.last_error from queue q
      where q.priority = p.priority and q.held_since is null and q.instance_id = $1
        and q.destination = shown.destination
      order by q.due_at desc limit $5
    ) as tried
  ) as late
  order by shown.mails desc, shown.destination`;

interface LaneRow extends QueuedDestination {
  depth: number;
  oldest_due_at: Date;
  is_cut: boolean;
}

/** What waits in an instance's queue. Its cost is bounded, whatever the queue's length. */
export async function viewQueue(
  db: Queryable,
  instanceId: number,
  limits: ViewLimits = usual,
): Promise<QueueView> {
  const { lanes: max_lanes, mails_per_lane } = limits;
  const rows = await db.query<LaneRow>(lanes, [
    instanceId,
    max_lanes,
    mails_per_lane,
    destinations_shown,
    mails_judged,
    mails_at_a_glance,
    long_lanes_counted,
  ]);
  const held = await countHeld(db, instanceId, mails_per_lane);
  const [first] = rows;
  return {
    depth: (first?.depth ?? 0) + held,
    is_exact: first?.is_cut !== true && held < mails_per_lane,
    oldest_due_at: first?.oldest_due_at ?? null,
    held,
    destinations: rows.map(({ destination, mails, next_due_at, attempts, last_error, is_paused }) => ({
      destination,
      mails,
      next_due_at,
      attempts,
      last_error,
      is_paused,
    })),
    paused: await listPaused(db, instanceId),
  };
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

async function listPaused(db: Queryable, instanceId: number): Promise<PausedDestination[]> {
  return await db.query<PausedDestination>(
    `select destination, paused_at from paused_destinations where instance_id = $1 order by destination limit $2`,
    [instanceId, paused_shown],
  );
}

/** The instances with mail in the queue, by slug: one look into the index for each. */
export async function listQueuedInstances(db: Queryable): Promise<{ id: number; slug: string }[]> {
  return await db.query(
    `select i.id, i.slug from instances i
     where exists (select from queue q where q.priority = 0 and q.instance_id = i.id and q.held_since is null)
       or exists (select from queue q where q.priority = 1 and q.instance_id = i.id and q.held_since is null)
       or exists (select from queue q where q.instance_id = i.id and q.held_since is not null)
     order by i.slug`,
  );
}
