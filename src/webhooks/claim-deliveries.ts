import type { Queryable, Statement } from '../base/db/database.ts';

export interface ClaimedDelivery {
  id: number;
  webhook_id: number;
  event_id: string;
  mail_id: string;
  event_at: Date;
  /** This one included. */
  attempt: number;
  lease: string;
  /** By the monotonic clock of this process. */
  leased_at: number;
}

export interface ClaimRequest {
  lease: string;
  count: number;
  /** How many of one webhook, where `room` says nothing else. */
  per_webhook: number;
  room: ReadonlyMap<number, number>;
  lease_seconds: number;
  now: Date;
}

/** Webhooks with deliveries that wait, looked at in one query; the next one goes on behind the last. */
const lanes_per_walk = 500;

/**
 * From webhook to webhook through the index, each step one probe, taking a few deliveries of each: what it costs grows
 * with the webhooks, not with their deliveries, and one with a million of them gets no more than its neighbour.
 */
const claim: Statement = {
  name: 'webhooks.claim',
  text: `
    with recursive lane as (
      (select webhook_id from webhook_deliveries where due_at is not null and webhook_id > $1
       order by webhook_id limit 1)
      union all
      select next.webhook_id from lane cross join lateral (
        select d.webhook_id from webhook_deliveries d where d.due_at is not null and d.webhook_id > lane.webhook_id
        order by d.webhook_id limit 1
      ) as next
    ), walked as materialized (
      select webhook_id from lane limit $2
    ), lanes as materialized (
      select w.id, coalesce(room.free, $5) as free
      from walked join webhooks w on w.id = walked.webhook_id
      left join unnest($3::bigint[], $4::integer[]) as room (webhook_id, free) on room.webhook_id = w.id
      where w.is_active
    ), picked as (
      select due.id from lanes cross join lateral (
        select d.id from webhook_deliveries d
        where d.webhook_id = lanes.id and d.due_at <= $7 and (d.leased_until is null or d.leased_until <= $7)
        order by d.due_at limit lanes.free for update skip locked
      ) as due
      limit $6
    ), taken as (
      update webhook_deliveries d set lease = $8, leased_until = $7::timestamptz + $9 * interval '1 second',
        attempts = d.attempts + 1
      from picked where d.id = picked.id
      returning d.id, d.webhook_id, d.event_id, d.mail_id, d.event_at, d.attempts as attempt
    )
    select (select count(*) from walked) as lanes, (select max(webhook_id) from walked) as last_lane,
      (select coalesce(jsonb_agg(taken), '[]') from taken) as deliveries`,
};

interface Row {
  lanes: number;
  last_lane: number | null;
  deliveries: (Omit<ClaimedDelivery, 'lease' | 'leased_at' | 'event_at'> & { event_at: string })[];
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** Whether the last webhook was reached with room to spare: there is nothing more to take for now. */
  is_whole: boolean;
}

/** Takes deliveries to be tried now. Each call goes on where the one before ended. */
export function createClaim(db: Queryable): (request: ClaimRequest) => Promise<Claimed> {
  let from = 0;
  return async ({ lease, count, per_webhook, room, lease_seconds, now }) => {
    const leased_at = performance.now();
    const [row] = await db.query<Row & Record<string, unknown>>(claim, [
      from,
      lanes_per_walk,
      [...room.keys()],
      [...room.values()],
      per_webhook,
      count,
      now,
      lease,
      lease_seconds,
    ]);
    const deliveries = (row?.deliveries ?? []).map((taken) => ({
      ...taken,
      event_at: new Date(taken.event_at),
      lease,
      leased_at,
    }));
    const isFull = deliveries.length >= count;
    const isCut = row?.lanes === lanes_per_walk;
    if (isFull) from = Math.max(...deliveries.map(({ webhook_id }) => webhook_id));
    else from = isCut ? (row.last_lane ?? 0) : 0;
    return { deliveries, is_whole: !isFull && !isCut };
  };
}
