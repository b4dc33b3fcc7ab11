import type { Database, Statement } from '../base/db/database.ts';
import { oldestTransaction, oldestWriter } from './event-horizon.ts';
import { eventTypesSql } from './event-types.ts';

export interface FannedOut {
  /** Events read; 0 when another node holds the cursor. */
  events: number;
  deliveries: number;
  /** Whether events wait for an older transaction that has not ended: it may still add earlier ones. */
  is_held_back: boolean;
}

const lock: Statement = {
  name: 'webhooks.lock_cursor',
  text: 'select txid::text, event_id from webhook_cursor for update skip locked',
};

/**
 * Reads the events after the cursor, up to the horizon. Deliveries and the new cursor are one commit, so each event is processed
 * once. A webhook gets the events since it was created or resumed.
 */
const fanUpTo = (name: string, horizon: string): Statement => ({
  name,
  text: `
    with horizon as materialized (
      ${horizon}
    ), page as materialized (
      select e.txid, e.event_id, e.mail_id, e.instance_id, e.at, 'mail.' || e.event as type from events e
      where (e.txid, e.event_id) > ($1::xid8, $2::uuid) and e.txid < (select txid from horizon) and e.event in ${eventTypesSql}
      order by e.txid, e.event_id limit $3
    ), made as (
      insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
      select w.id, p.instance_id, p.event_id, p.mail_id, p.type, p.at, $4, $4
      from page p join webhooks w on w.instance_id = p.instance_id
      where w.is_active and p.at >= w.active_since and (w.events is null or p.type = any (w.events))
      order by p.txid, p.event_id
      returning 1
    ), moved as (
      update webhook_cursor c set txid = last.txid, event_id = last.event_id
      from (select txid, event_id from page order by txid desc, event_id desc limit 1) as last
    )
    select (select count(*) from page) as events, (select count(*) from made) as deliveries,
      coalesce((
        select e.txid from events e where e.event in ${eventTypesSql} order by e.txid desc, e.event_id desc limit 1
      ) >= (select txid from horizon), false) as is_held_back`,
});
const fan = {
  any: fanUpTo('webhooks.fan_out', oldestTransaction),
  writers: fanUpTo('webhooks.fan_out_writers', oldestWriter),
};

const wake: Statement = { name: 'webhooks.wake', text: `select pg_notify('chasqui_webhooks', '')` };

interface FanOutRequest {
  max_events: number;
  now: Date;
  /** Which running transactions hold events back. Telling writers of events from others costs more. */
  behind?: keyof typeof fan;
}

/** Creates the deliveries of up to `max_events` events. Only one node at a time does this. */
export async function fanOut(
  db: Database,
  { max_events, now, behind = 'any' }: FanOutRequest,
): Promise<FannedOut> {
  return await db.transaction(async (tx) => {
    const [cursor] = await tx.query<{ txid: string; event_id: string }>(lock);
    if (!cursor) return { events: 0, deliveries: 0, is_held_back: false };
    const [row] = await tx.query<FannedOut>(fan[behind], [cursor.txid, cursor.event_id, max_events, now]);
    if (row && row.deliveries > 0) await tx.query(wake);
    return row ?? { events: 0, deliveries: 0, is_held_back: false };
  });
}

/** Without an active webhook events are skipped without being read: a webhook activated later gets later events only. */
export async function skipAhead(db: Database): Promise<void> {
  await db.query(
    `update webhook_cursor
     set txid = pg_snapshot_xmin(pg_current_snapshot()), event_id = '00000000-0000-0000-0000-000000000000'
     where not exists (select from webhooks where is_active) and txid < pg_snapshot_xmin(pg_current_snapshot())`,
  );
}
