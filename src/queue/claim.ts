import type { Queryable, Statement } from '../base/db/database.ts';
import { skipScan } from '../base/db/skip-scan.ts';
import { createPromotion } from './promote.ts';

export interface ClaimedMail {
  mail_id: string;
  msg_id: string;
  instance_id: number;
  destination: string;
  /** Number of this attempt; the first is 1. */
  attempt: number;
  lease: string;
  /** Monotonic time of this process just before the claim was sent. */
  leased_at: number;
  /** How often a node crashed while it had this mail (`queue/suspects.ts`). */
  crashes?: number;
}

export interface ClaimRequest {
  lease: string;
  /** Limit over all lanes. */
  count: number;
  /** Limit on broadcast mail within `count`; the rest is reserved for transactional mail. Defaults to `count`. */
  broadcast_count?: number;
  /** Limit per lane. */
  per_lane: number;
  /** Destinations that answered recently, and their own limit per lane. */
  responsive?: { destinations: string[]; per_lane: number };
  lease_seconds: number;
  /** Destinations to skip. */
  excluded: string[];
  /** Destinations to skip for broadcast mail only. */
  excluded_for_broadcast?: string[];
  now: Date;
}

/** Together with a priority, the unit of fair scheduling: each claim takes a few mails per lane. */
interface Lane {
  instance_id: number;
  destination: string;
}

/** Lanes scanned per query; the next query continues after the last one. */
const lanesPerScan = 500;

/**
 * A skip scan over the index: one probe per lane, and a few mails from each. The cost grows with the number of lanes that
 * have ready mail, not with the mails in them, and a backlog of a million mails gets no more than the lane beside it.
 * Paused lanes are skipped.
 */
const claim: Statement = {
  name: 'queue.claim',
  text: `
    with recursive ${skipScan({
      as: 'lane',
      table: 'queue',
      columns: ['instance_id', 'destination'],
      where: 'ready_priority = $1',
      after: ['$2', '$3'],
    })}, scanned as (
      select lane.*, exists (
        select from paused_destinations p
        where p.instance_id = lane.instance_id and p.destination = lane.destination
      ) as is_paused
      from lane limit $4
    ), picked as (
      select due.mail_id from scanned
      cross join lateral (
        select q.mail_id from queue q
        where q.ready_priority = $1 and q.instance_id = scanned.instance_id and q.destination = scanned.destination
          and q.due_at <= $9
        order by q.due_at
        limit case when scanned.destination = any ($11::text[]) then $12::bigint else $5::bigint end for update skip locked
      ) as due
      where not scanned.is_paused and scanned.destination <> all ($6::text[])
      limit $7
    ), taken as (
      update queue q set lease = $8, due_at = $9::timestamptz + $10 * interval '1 second', attempts = q.attempts + 1,
        ready_priority = null
      from picked where q.mail_id = picked.mail_id
      returning q.mail_id, q.msg_id, q.instance_id, q.destination, q.attempts, q.crashes
    )
    select (select count(*) from scanned) as lanes,
      (select jsonb_build_object('instance_id', instance_id, 'destination', destination,
           'is_past', (instance_id, destination) >= ($13, $14))
         from scanned order by instance_id desc, destination desc limit 1) as last_lane,
      (select jsonb_build_object('instance_id', instance_id, 'destination', destination)
         from taken order by instance_id desc, destination desc limit 1) as last_taken,
      (select coalesce(jsonb_agg(taken), '[]') from taken) as mails`,
};

/** While there is other mail to claim; an idle claim promotes at once. */
const promoteEveryMs = 100;

type Row = {
  lanes: number;
  /** `is_past`: at or after the lane where the scan began. Only the database compares lanes, by its own collation. */
  last_lane: (Lane & { is_past: boolean }) | null;
  last_taken: Lane | null;
  mails: (Omit<ClaimedMail, 'attempt' | 'lease' | 'leased_at'> & { attempts: number })[];
};

interface Scan {
  found: ClaimedMail[];
  /** Where to continue; undefined after the last lane. */
  next: Lane | undefined;
  /** Whether the scan has wrapped around to where it began. */
  has_wrapped: boolean;
  last_taken: Lane | null;
}

export type Claim = (request: ClaimRequest) => Promise<ClaimedMail[]>;

/** Claims mail that is due, transactional before broadcast, round-robin over the lanes. */
export function createClaim(db: Queryable): Claim {
  const start: Lane = { instance_id: 0, destination: '' };
  const cursors: [Lane, Lane] = [start, start];

  async function claimPriority(priority: 0 | 1, request: ClaimRequest): Promise<ClaimedMail[]> {
    const began = cursors[priority];
    const mails: ClaimedMail[] = [];
    let from = began;
    let hasReachedEnd = began === start;
    for (let scan = 1; ; scan += 1) {
      const left = request.count - mails.length;
      const range = { priority, from, began };
      const { found, next, has_wrapped, last_taken } = await scanLanes(range, { ...request, count: left });
      mails.push(...found);
      // The limit was reached before the end: the next claim continues after the last lane that was served.
      if (found.length >= left) {
        cursors[priority] = last_taken ?? start;
        return mails;
      }
      const isComplete = hasReachedEnd && (next === undefined || (has_wrapped && began !== start));
      hasReachedEnd ||= next === undefined;
      from = next ?? start;
      // Deliver what was found before scanning further.
      if (isComplete || (mails.length > 0 && scan > 1)) break;
    }
    cursors[priority] = from;
    return mails;
  }

  async function scanLanes(
    { priority, from, began }: { priority: 0 | 1; from: Lane; began: Lane },
    request: ClaimRequest,
  ): Promise<Scan> {
    const leased_at = performance.now();
    const [row] = await db.query<Row>(claim, [
      priority,
      from.instance_id,
      from.destination,
      lanesPerScan,
      request.per_lane,
      request.excluded,
      request.count,
      request.lease,
      request.now,
      request.lease_seconds,
      request.responsive?.destinations ?? [],
      request.responsive?.per_lane ?? 0,
      began.instance_id,
      began.destination,
    ]);
    const found = (row?.mails ?? []).map(({ attempts, ...mail }) => ({
      ...mail,
      attempt: attempts,
      lease: request.lease,
      leased_at,
    }));
    const last = row?.lanes === lanesPerScan ? row.last_lane : null;
    return {
      found,
      next: last ?? undefined,
      has_wrapped: last?.is_past === true,
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

  const promote = createPromotion(db);
  let promotedAt = 0;
  async function promoteDue(now: Date): Promise<boolean> {
    promotedAt = performance.now();
    return await promote(now);
  }

  return async (request) => {
    const isPromotionDue = performance.now() - promotedAt > promoteEveryMs;
    if (isPromotionDue) await promoteDue(request.now);
    const mails = await claimLanes(request);
    if (mails.length > 0 || isPromotionDue) return mails;
    return (await promoteDue(request.now)) ? await claimLanes(request) : mails;
  };
}
