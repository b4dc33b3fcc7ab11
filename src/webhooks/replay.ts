import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { deliveryColumns, withRecipients, type DeliveryRow } from './deliveries.ts';
import type { Replay, Replayed, WebhookDelivery } from './delivery-schemas.ts';

const auditDelivery = auditOf('webhook_delivery');
const auditWebhook = auditOf('webhook');

/** Per call. */
export const maxReplayed = 10_000;

interface Act {
  webhook_id: number;
  actor: Actor;
  now: Date;
}

/** Restarts a delivery with all its attempts; the log of earlier attempts stays. */
const restart = `state = 'pending', due_at = $1, attempts = 0, lease = null, leased_until = null, replayed_at = $1`;
const wake = `select pg_notify('chasqui_webhooks', '')`;

export async function replayDelivery(
  tx: Queryable,
  instanceId: number,
  { webhook_id, id, actor, now }: Act & { id: number },
): Promise<WebhookDelivery> {
  await requireActive(tx, instanceId, webhook_id);
  const [row] = await tx.query<DeliveryRow & Record<string, unknown>>(
    `update webhook_deliveries set ${restart} where webhook_id = $2 and id = $3 returning ${deliveryColumns}`,
    [now, webhook_id, id],
  );
  if (!row) throw new Problem('webhook_delivery_not_found');
  await auditDelivery(tx, instanceId, { action: 'replayed', id, actor, details: { webhook_id } });
  await tx.query(wake);
  const [replayed] = await withRecipients(tx, [row]);
  return replayed ?? { ...row, recipient: null };
}

/** Replays a time range, delivered ones included. Pending deliveries keep their due time. */
export async function replayRange(
  tx: Queryable,
  instanceId: number,
  { webhook_id, replay, actor, now }: Act & { replay: Replay },
): Promise<Replayed> {
  const { from, until } = readRange(replay);
  await requireActive(tx, instanceId, webhook_id);
  const { types = null, states = null, after = null, is_dry_run } = replay;
  if (is_dry_run) return await countRange(tx, { webhook_id, replay });
  const [row] = await tx.query<{ replayed: number; last: number | null }>(
    `with chosen as (
       select id from webhook_deliveries
       where webhook_id = $2 and due_at is null and event_at >= $3 and event_at < $4 and id > coalesce($5, 0)
         and ($6::text[] is null or type = any ($6)) and ($7::text[] is null or state = any ($7))
       order by id limit $8 for update
     ), moved as (
       update webhook_deliveries d set ${restart} from chosen where d.id = chosen.id returning d.id
     )
     select count(*) as replayed, max(id) as last from moved`,
    [now, webhook_id, from, until, after, types, states, maxReplayed],
  );
  const { replayed = 0, last = null } = row ?? {};
  const details = { ...replay, replayed };
  await auditWebhook(tx, instanceId, { action: 'replayed', id: webhook_id, actor, details });
  await tx.query(wake);
  return { replayed, has_more: replayed === maxReplayed, after: last ?? after };
}

const inRange = `webhook_id = $1 and due_at is null and event_at >= $2 and event_at < $3 and id > coalesce($4, 0)
  and ($5::text[] is null or type = any ($5)) and ($6::text[] is null or state = any ($6))`;

/** What a call would replay, which changes nothing. */
async function countRange(
  tx: Queryable,
  { webhook_id, replay }: Pick<Act, 'webhook_id'> & { replay: Replay },
): Promise<Replayed> {
  const { from, until } = readRange(replay);
  const { types = null, states = null, after = null } = replay;
  const [row] = await tx.query<{ replayed: number; last: number | null }>(
    `select count(*) as replayed, max(id) as last from (
       select id from webhook_deliveries where ${inRange} order by id limit $7
     ) as found`,
    [webhook_id, from, until, after, types, states, maxReplayed],
  );
  const { replayed = 0, last = null } = row ?? {};
  return { replayed, has_more: replayed === maxReplayed, after: last ?? after };
}

function readRange({ from, until }: Replay): { from: Date; until: Date } {
  const range = { from: new Date(from), until: new Date(until) };
  const violations = (['from', 'until'] as const)
    .filter((name) => Number.isNaN(range[name].getTime()))
    .map((name) => ({
      pointer: `/${name}`,
      code: 'value_error.date_time',
      message: 'This is not a valid timestamp',
    }));
  if (violations.length > 0) throw validationProblem(violations);
  return range;
}

/** Locks the row, so that the webhook is not paused while deliveries are made due. */
async function requireActive(tx: Queryable, instanceId: number, id: number): Promise<void> {
  const [row] = await tx.query<{ is_active: boolean }>(
    'select is_active from webhooks where instance_id = $1 and id = $2 for share',
    [instanceId, id],
  );
  if (!row) throw new Problem('webhook_not_found');
  if (!row.is_active) throw new Problem('webhook_paused');
}
