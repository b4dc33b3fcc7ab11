import type { KeyObject } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { discardDueInPause } from './discard-deliveries.ts';
import type { EventType } from './event-types.ts';
import { eventsOfFormat, type WebhookFormat } from './formats/format.ts';
import { publicKeyText, signingKeyOf } from './formats/signing-key.ts';
import {
  maxWebhooks,
  type CreatedWebhook,
  type NewWebhook,
  type RotatedSecret,
  type Webhook,
  type WebhookChanges,
} from './webhook-schemas.ts';
import { requireHeaders, sealHeaders } from './webhook-headers.ts';
import { basicCredentials, newSecret } from './webhook-secret.ts';
import { isSameUrl } from './webhook-url.ts';
import { webhookColumns } from './webhooks.ts';

const audit = auditOf('webhook');

/** How long the previous secret signs too after a rotation. */
const graceMs = 24 * 3_600_000;

interface Act {
  actor: Actor;
  now: Date;
}

/** The URL has been validated before: that needs DNS, and no transaction stays open during network I/O. */
export async function createWebhook(
  tx: Queryable,
  instanceId: number,
  { webhook, root, actor, now }: Act & { webhook: NewWebhook; root: RootSecret },
): Promise<CreatedWebhook> {
  const { name, url, format = 'chasqui', is_active = true, external_id = null, headers = null } = webhook;
  const header_names = Object.keys(headers ?? {});
  requireHeaders(webhook);
  const events = eventsFor(format, webhook.events ?? null);
  await requireFreeExternalId(tx, instanceId, { table: 'webhooks', external_id });
  await requireBelowLimit(tx, instanceId);
  const [next] = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('webhooks', 'id')) as id`,
  );
  const { id } = next as { id: number };
  const { text: secret, sealed, key } = newSecret(root, id);
  const [row] = await tx.query<Webhook>(
    `insert into webhooks (id, instance_id, name, url, events, is_active, active_since, paused_at, secret, counted_since,
       created_at, updated_at, external_id, format, headers, header_names)
     overriding system value
     values ($1, $2, $3, $4, $5, $6, $7, case when not $6 then $7::timestamptz end, $8, $7, $7, $7, $9, $10, $11, $12)
     returning ${webhookColumns('$7')}`,
    [
      id,
      instanceId,
      name,
      url,
      uniqueOf(events),
      is_active,
      now,
      sealed,
      external_id,
      format,
      sealHeaders(root, id, headers),
      header_names,
    ],
  );
  await audit(tx, instanceId, {
    action: 'created',
    id,
    actor,
    details: { name, url, events, format, is_active, external_id, header_names },
  });
  return { ...(row as Webhook), secret, ...credentialsOf(format, key) };
}

interface PresentWebhook extends Required<Omit<WebhookChanges, 'headers'>> {
  format: WebhookFormat;
  paused_at: Date | null;
}

/** Changes only what differs (contract §9): an update without a difference resets nothing. */
export async function updateWebhook(
  tx: Queryable,
  instanceId: number,
  { id, changes: given, root, actor, now }: Act & { id: number; changes: WebhookChanges; root: RootSecret },
): Promise<Webhook> {
  requireHeaders(given);
  const { headers, ...changes } = given;
  const [present] = await tx.query<PresentWebhook>(
    `select name, url, events, is_active, external_id, format, paused_at from webhooks where instance_id = $1 and id = $2 for update`,
    [instanceId, id],
  );
  if (!present) throw new Problem('webhook_not_found');
  const { paused_at, format, ...before } = present;
  const wanted = { ...before, ...changes };
  const after = { ...wanted, events: uniqueOf(eventsFor(format, wanted.events)) };
  await requireFreeExternalId(tx, instanceId, { table: 'webhooks', external_id: after.external_id, of: id });
  // Encrypted anew with every change, which cannot be compared: what is given counts as another one.
  const hasHeaders = headers !== undefined;
  const isChanged = hasHeaders || JSON.stringify(after) !== JSON.stringify(before);
  const isResumed = after.is_active && !before.is_active;
  const [row] = await tx.query<Webhook>(isChanged ? update : keep, [
    id,
    now,
    ...(isChanged
      ? [
          after.name,
          after.url,
          after.events,
          after.is_active,
          isResumed,
          !isSameUrl(before.url, after.url),
          after.external_id,
          hasHeaders,
          sealHeaders(root, id, headers ?? null),
          Object.keys(headers ?? {}),
        ]
      : []),
  ]);
  if (isResumed && paused_at) await discardDueInPause(tx, id, { paused_at, now });
  if (isChanged)
    await audit(tx, instanceId, {
      action: 'updated',
      id,
      actor,
      details: { ...changes, ...(hasHeaders && { header_names: Object.keys(headers ?? {}) }) },
    });
  return row as Webhook;
}

const keep = `select ${webhookColumns('$2::timestamptz')} from webhooks where id = $1`;

/** $7: it is being resumed. $8: its URL changed. $10: its headers are replaced. */
const update = `
  update webhooks set name = $3, url = $4, events = $5, is_active = $6, external_id = $9, updated_at = $2,
    headers = case when $10 then $11 else headers end, header_names = case when $10 then $12 else header_names end,
    paused_at = case when $6 then null else coalesce(paused_at, $2) end,
    active_since = case when $7 then $2 else active_since end,
    auto_paused_at = case when $7 then null else auto_paused_at end,
    consecutive_failures = case when $7 or $8 then 0 else consecutive_failures end,
    failing_since = case when $7 or $8 then null else failing_since end,
    counted_since = case when $7 or $8 then $2 else counted_since end
  where id = $1 returning ${webhookColumns('$2::timestamptz')}`;

/** Its pending deliveries become orphans, which the purge job deletes. */
export async function deleteWebhook(
  tx: Queryable,
  instanceId: number,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  const [row] = await tx.query<{ name: string; url: string }>(
    'delete from webhooks where instance_id = $1 and id = $2 returning name, url',
    [instanceId, id],
  );
  if (!row) throw new Problem('webhook_not_found');
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: { ...row } });
}

/** A rotation during the grace period of another one ends that period: at most two secrets sign. */
export async function rotateSecret(
  tx: Queryable,
  instanceId: number,
  { id, root, actor, now }: Act & { id: number; root: RootSecret },
): Promise<RotatedSecret> {
  const { text: secret, sealed, key } = newSecret(root, id);
  const previous_secret_expires_at = new Date(now.getTime() + graceMs);
  const [row] = await tx.query<{ format: WebhookFormat }>(
    `update webhooks set previous_secret = secret, previous_secret_expires_at = $4, secret = $3, updated_at = $5
     where instance_id = $1 and id = $2 returning format`,
    [instanceId, id, sealed, previous_secret_expires_at, now],
  );
  if (!row) throw new Problem('webhook_not_found');
  await audit(tx, instanceId, { action: 'secret_rotated', id, actor, details: {} });
  return { secret, ...credentialsOf(row.format, key), previous_secret_expires_at };
}

async function requireBelowLimit(tx: Queryable, instanceId: number): Promise<void> {
  // Serializes concurrent creations, so that the count is right.
  await tx.query(`select pg_advisory_xact_lock(hashtext('chasqui webhooks'), hashtext($1::text))`, [
    instanceId,
  ]);
  const [row] = await tx.query<{ count: number }>('select count(*) from webhooks where instance_id = $1', [
    instanceId,
  ]);
  if ((row?.count ?? 0) >= maxWebhooks) {
    throw new Problem('webhook_limit_reached', {
      detail: `An instance has at most ${maxWebhooks} webhooks.`,
    });
  }
}

/** By what receivers of another service's form know that a request is ours. */
function credentialsOf(
  format: WebhookFormat,
  key: KeyObject,
): Pick<CreatedWebhook, 'public_key' | 'basic_auth'> {
  return {
    public_key: format === 'sendgrid' ? publicKeyText(signingKeyOf(key)) : null,
    basic_auth: format === 'postmark' ? basicCredentials(key) : null,
  };
}

/** Of another service's form all events are those that it has words for; others are refused. */
function eventsFor(format: WebhookFormat, events: EventType[] | null): EventType[] | null {
  if (format === 'chasqui') return events;
  const known = eventsOfFormat(format);
  if (events === null) return known;
  const violations = events.flatMap((type, index) =>
    known.includes(type)
      ? []
      : [
          {
            pointer: `/events/${index}`,
            code: 'value_error.event',
            message: `Webhooks of format ${format} have no ${type}`,
          },
        ],
  );
  if (violations.length > 0) throw validationProblem(violations);
  return events;
}

function uniqueOf<T>(values: readonly T[] | null): T[] | null {
  return values && [...new Set(values)];
}
