import type { Queryable, Statement } from '../base/db/database.ts';
import { skipScan } from '../base/db/skip-scan.ts';

export interface ClaimedDelivery {
  id: number;
  webhook_id: number;
  event_id: string;
  mail_id: string;
  event_at: Date;
  /** Number of this attempt; the first is 1. */
  attempt: number;
  lease: string;
  /** Monotonic time of this process just before the claim was sent. */
  leased_at: number;
}

export interface ClaimRequest {
  lease: string;
  count: number;
  /** Limit per webhook, unless `limits` has another one. */
  per_webhook: number;
  limits: ReadonlyMap<number, number>;
  lease_seconds: number;
  now: Date;
}

/** Webhooks with pending deliveries scanned per query; the next query continues after the last one. */
const webhooksPerScan = 500;

/**
 * A skip scan over the index: one probe per webhook, and a few deliveries of each. The cost grows with the webhooks, not
 * with their deliveries, and a backlog of a million deliveries gets no more than the webhook beside it.
 */
const claim: Statement = {
  name: 'webhooks.claim',
  text: `
    with recursive ${skipScan({
      as: 'pending',
      table: 'webhook_deliveries',
      columns: ['webhook_id'],
      where: 'due_at is not null',
      after: ['$1'],
    })}, scanned as materialized (
      select webhook_id from pending limit $2
    ), active as materialized (
      select w.id, coalesce(l.free, $5) as free
      from scanned join webhooks w on w.id = scanned.webhook_id
      left join unnest($3::bigint[], $4::integer[]) as l (webhook_id, free) on l.webhook_id = w.id
      where w.is_active
    ), picked as (
      select due.id from active cross join lateral (
        select d.id from webhook_deliveries d
        where d.webhook_id = active.id and d.due_at <= $7 and (d.leased_until is null or d.leased_until <= $7)
        order by d.due_at limit active.free for update skip locked
      ) as due
      limit $6
    ), taken as (
      update webhook_deliveries d set lease = $8, leased_until = $7::timestamptz + $9 * interval '1 second',
        attempts = d.attempts + 1
      from picked where d.id = picked.id
      returning d.id, d.webhook_id, d.event_id, d.mail_id, d.event_at, d.attempts as attempt
    )
    select (select count(*) from scanned) as webhooks, (select max(webhook_id) from scanned) as last_webhook,
      (select coalesce(jsonb_agg(taken), '[]') from taken) as deliveries`,
};

interface Row {
  webhooks: number;
  last_webhook: number | null;
  deliveries: (Omit<ClaimedDelivery, 'lease' | 'leased_at' | 'event_at'> & { event_at: string })[];
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** Whether the scan reached the last webhook before a limit: nothing more can be claimed for now. */
  is_complete: boolean;
}

/** Claims deliveries that are due. Each call continues where the one before ended. */
export function createClaim(db: Queryable): (request: ClaimRequest) => Promise<Claimed> {
  let from = 0;
  return async ({ lease, count, per_webhook, limits, lease_seconds, now }) => {
    const leased_at = performance.now();
    const [row] = await db.query<Row & Record<string, unknown>>(claim, [
      from,
      webhooksPerScan,
      [...limits.keys()],
      [...limits.values()],
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
    const isCut = row?.webhooks === webhooksPerScan;
    if (isFull) from = Math.max(...deliveries.map(({ webhook_id }) => webhook_id));
    else from = isCut ? (row.last_webhook ?? 0) : 0;
    return { deliveries, is_complete: !isFull && !isCut };
  };
}
