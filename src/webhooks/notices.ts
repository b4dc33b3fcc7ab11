import { v7 } from 'uuid';
import type { Queryable } from '../base/db/database.ts';
import type { NoticeType } from './event-types.ts';

/** In place of the mail that a notice is not about. */
export const noMailId = '00000000-0000-0000-0000-000000000000';

export interface Notice {
  instance_id: number;
  type: NoticeType;
  data: Record<string, unknown>;
}

/** Tells webhooks something that is about no mail, in the transaction of what happened. */
export async function announce(tx: Queryable, notices: Notice[], now: Date): Promise<void> {
  if (notices.length === 0) return;
  await tx.query(
    `with stored as (
       insert into webhook_notices (event_id, instance_id, type, at, data)
       select n.event_id, n.instance_id, n.type, $5, n.data
       from unnest($1::uuid[], $2::bigint[], $3::text[], $4::jsonb[]) as n (event_id, instance_id, type, data)
       returning event_id, instance_id, type
     )
     insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
     select w.id, stored.instance_id, stored.event_id, $6, stored.type, $5, $5, $5
     from stored join webhooks w on w.instance_id = stored.instance_id
     where w.is_active and w.format = 'chasqui' and (w.events is null or stored.type = any (w.events))
     order by stored.event_id`,
    [
      notices.map(() => v7()),
      notices.map(({ instance_id }) => instance_id),
      notices.map(({ type }) => type),
      notices.map(({ data }) => JSON.stringify(data)),
      now,
      noMailId,
    ],
  );
  await tx.query("select pg_notify('chasqui_webhooks', '')");
}

export interface NoticeRow {
  event_id: string;
  type: string;
  at: Date;
  data: Record<string, unknown>;
}

export async function loadNotices(db: Queryable, eventIds: string[]): Promise<NoticeRow[]> {
  if (eventIds.length === 0) return [];
  return await db.query<NoticeRow & Record<string, unknown>>(
    'select event_id, type, at, data from webhook_notices where event_id = any($1::uuid[])',
    [eventIds],
  );
}

export function renderNotice({ type, at, data }: NoticeRow): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data: { mail_id: null, ...data } });
}
