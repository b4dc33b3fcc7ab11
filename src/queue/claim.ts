import type { Queryable, Statement } from '../base/db/database.ts';

export interface ClaimedMail {
  mail_id: string;
  msg_id: string;
  instance_id: number;
  destination: string;
  /** This one included. */
  attempt: number;
  lease: string;
  /** By the monotonic clock of this process, when the lease was asked for. */
  leased_at: number;
  /** How often a node died over it (`queue/suspects.ts`). */
  crashes?: number;
}

export interface ClaimRequest {
  lease: string;
  /** How many at most, over all lanes. */
  count: number;
  /** How many of them may be broadcast: the rest is kept free for what cannot wait. `count` unless said. */
  broadcast_count?: number;
  /** How many of one instance to one destination. */
  per_lane: number;
  /** Destinations that are known to be quick, and how many of one instance to each of those. */
  quick?: { destinations: string[]; per_lane: number };
  lease_seconds: number;
  /** Destinations that are not to be tried now. */
  excluded: string[];
  /** Further ones that get no broadcast now. */
  excluded_for_broadcast?: string[];
  now: Date;
}

interface Lane {
  instance_id: number;
  destination: string;
}

/** Lanes looked at in one query; the next one goes on behind the last. */
const lanes_per_walk = 500;

/**
 * Walks from lane to lane through the index, each step one probe, and takes a few mails from each: the cost grows with
 * the lanes that have mail to be tried now, not with the mails in them, and a lane with a million mails gets no more
 * than its neighbour. A paused lane is walked past.
 */
const claim: Statement = {
  name: 'queue.claim',
  text: `
    with recursive lane as (
      (select instance_id, destination from queue
       where ready_priority = $1 and (instance_id, destination) > ($2, $3)
       order by instance_id, destination limit 1)
      union all
      select next.instance_id, next.destination from lane
      cross join lateral (
        select q.instance_id, q.destination from queue q
        where q.ready_priority = $1 and (q.instance_id, q.destination) > (lane.instance_id, lane.destination)
        order by q.instance_id, q.destination limit 1
      ) as next
    ), walked as (
      select lane.*, exists (
        select from paused_destinations p
        where p.instance_id = lane.instance_id and p.destination = lane.destination
      ) as is_paused
      from lane limit $4
    ), picked as (
      select due.mail_id from walked
      cross join lateral (
        select q.mail_id from queue q
        where q.ready_priority = $1 and q.instance_id = walked.instance_id and q.destination = walked.destination
          and q.due_at <= $9
        order by q.due_at
        limit case when walked.destination = any ($11::text[]) then $12::bigint else $5::bigint end for update skip locked
      ) as due
      where not walked.is_paused and walked.destination <> all ($6::text[])
      limit $7
    ), taken as (
      update queue q set lease = $8, due_at = $9::timestamptz + $10 * interval '1 second', attempts = q.attempts + 1,
        ready_priority = null
      from picked where q.mail_id = picked.mail_id
      returning q.mail_id, q.msg_id, q.instance_id, q.destination, q.attempts, q.crashes
    )
    select (select count(*) from walked) as lanes,
      (select jsonb_build_object('instance_id', instance_id, 'destination', destination,
           'is_past', (instance_id, destination) >= ($13, $14))
         from walked order by instance_id desc, destination desc limit 1) as last_lane,
      (select jsonb_build_object('instance_id', instance_id, 'destination', destination)
         from taken order by instance_id desc, destination desc limit 1) as last_taken,
      (select coalesce(jsonb_agg(taken), '[]') from taken) as mails`,
};

/** Puts mail into its lane whose time has come: a retry, or what a dead node held. */
const promote: Statement = {
  name: 'queue.promote',
  text: `
    update queue q set ready_priority = q.priority,
      crashes = case when q.lease is null then q.crashes else greatest(q.crashes, 1) end
    from (
      select mail_id from queue where ready_priority is null and held_since is null and due_at <= $1
      order by due_at limit $2 for update skip locked
    ) as due
    where q.mail_id = due.mail_id
    returning 1`,
};
/** At once, so that those of one lane are not all that there is to choose from. */
const max_promoted = 1_000;
/** While there is other mail to claim. */
const promote_every_ms = 100;

type Row = {
  lanes: number;
  /** `is_past`: at or behind the lane where the walk began. Lanes are compared by the database alone, in its order. */
  last_lane: (Lane & { is_past: boolean }) | null;
  last_taken: Lane | null;
  mails: (Omit<ClaimedMail, 'attempt' | 'lease' | 'leased_at'> & { attempts: number })[];
};

interface Walk {
  found: ClaimedMail[];
  /** Where to go on; undefined behind the last lane. */
  next: Lane | undefined;
  /** Whether it came to where it began. */
  is_round: boolean;
  last_taken: Lane | null;
}

export type Claim = (request: ClaimRequest) => Promise<ClaimedMail[]>;

/** Takes mail to be tried now, transactional before broadcast, from all lanes in turn. */
export function createClaim(db: Queryable): Claim {
  const start: Lane = { instance_id: 0, destination: '' };
  const cursors: [Lane, Lane] = [start, start];

  async function claimPriority(priority: 0 | 1, request: ClaimRequest): Promise<ClaimedMail[]> {
    const began = cursors[priority];
    const mails: ClaimedMail[] = [];
    let from = began;
    let isBehind = began === start;
    for (let walk = 1; ; walk += 1) {
      const left = request.count - mails.length;
      const range = { priority, from, began };
      const { found, next, is_round, last_taken } = await walkLanes(range, { ...request, count: left });
      mails.push(...found);
      // Full before the walk was over: the next one goes on behind the last lane that gave something.
      if (found.length >= left) {
        cursors[priority] = last_taken ?? start;
        return mails;
      }
      const isOver = isBehind && (next === undefined || (is_round && began !== start));
      isBehind ||= next === undefined;
      from = next ?? start;
      // What was found is worth more now than what may be further on.
      if (isOver || (mails.length > 0 && walk > 1)) break;
    }
    cursors[priority] = from;
    return mails;
  }

  async function walkLanes(
    { priority, from, began }: { priority: 0 | 1; from: Lane; began: Lane },
    request: ClaimRequest,
  ): Promise<Walk> {
    const leased_at = performance.now();
    const [row] = await db.query<Row>(claim, [
      priority,
      from.instance_id,
      from.destination,
      lanes_per_walk,
      request.per_lane,
      request.excluded,
      request.count,
      request.lease,
      request.now,
      request.lease_seconds,
      request.quick?.destinations ?? [],
      request.quick?.per_lane ?? 0,
      began.instance_id,
      began.destination,
    ]);
    const found = (row?.mails ?? []).map(({ attempts, ...mail }) => ({
      ...mail,
      attempt: attempts,
      lease: request.lease,
      leased_at,
    }));
    const last = row?.lanes === lanes_per_walk ? row.last_lane : null;
    return {
      found,
      next: last ?? undefined,
      is_round: last?.is_past === true,
      last_taken: row?.last_taken ?? null,
    };
  }

  async function claimLanes(request: ClaimRequest): Promise<ClaimedMail[]> {
    const urgent = await claimPriority(0, request);
    const left = Math.min(request.count - urgent.length, request.broadcast_count ?? request.count);
    if (left <= 0) return urgent;
    const excluded = [...request.excluded, ...(request.excluded_for_broadcast ?? [])];
    return [...urgent, ...(await claimPriority(1, { ...request, excluded, count: left }))];
  }

  let promoted_at = 0;
  async function promoteDue(now: Date): Promise<boolean> {
    promoted_at = performance.now();
    return (await db.query(promote, [now, max_promoted])).length > 0;
  }

  return async (request) => {
    const isTime = performance.now() - promoted_at > promote_every_ms;
    if (isTime) await promoteDue(request.now);
    const mails = await claimLanes(request);
    if (mails.length > 0 || isTime) return mails;
    return (await promoteDue(request.now)) ? await claimLanes(request) : mails;
  };
}
