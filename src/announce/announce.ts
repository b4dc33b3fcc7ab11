import { v7 } from 'uuid';
import type { Queryable } from '../base/db/database.ts';
import type { AlertEventType, PersonEventType } from './notice-types.ts';

/** In place of the mail that a notice is not about. */
export const noMailId = '00000000-0000-0000-0000-000000000000';

interface AlertNotice {
  instance_id: number;
  type: AlertEventType;
  data: Record<string, unknown>;
}

/** Names nobody: what is about the person is read from the subject when it is posted, so that erasure and blocking hold. */
interface PersonNotice {
  instance_id: number;
  type: PersonEventType;
  /** The submission, consent event or request. */
  subject_id: number;
  data: Record<string, string>;
}

export type Notice = AlertNotice | PersonNotice;

/**
 * Tells webhooks something that is about no mail, in the transaction of what happened. Nothing is stored where no webhook wants
 * it: a webhook that is added or resumed later gets later events only.
 */
export async function announce(tx: Queryable, notices: Notice[], now: Date): Promise<void> {
  if (notices.length === 0) return;
  const [row] = await tx.query<{ count: number }>(
    `with wanted as materialized (
       select n.*, w.id as webhook_id
       from unnest($1::uuid[], $2::bigint[], $3::text[], $4::jsonb[], $5::bigint[]) as n (event_id, instance_id, type, data, subject_id)
       join webhooks w on w.instance_id = n.instance_id
       where w.is_active and w.format = 'chasqui' and (w.events is null or n.type = any (w.events))
     ), stored as (
       insert into webhook_notices (event_id, instance_id, type, at, data, subject_id)
       select distinct event_id, instance_id, type, $6::timestamptz, data, subject_id from wanted
     ), made as (
       insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
       select webhook_id, instance_id, event_id, $7, type, $6, $6, $6 from wanted order by event_id, webhook_id
       returning 1
     )
     select count(*) as count from made`,
    [
      notices.map(() => v7()),
      notices.map(({ instance_id }) => instance_id),
      notices.map(({ type }) => type),
      notices.map(({ data }) => JSON.stringify(data)),
      notices.map((notice) => ('subject_id' in notice ? notice.subject_id : null)),
      now,
      noMailId,
    ],
  );
  if (row && row.count > 0) await tx.query("select pg_notify('chasqui_webhooks', '')");
}
