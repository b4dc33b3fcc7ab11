import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Webhook } from './webhook-schemas.ts';

/** `now` is a parameter reference such as `$2`. An expired secret is not shown. */
export const webhookColumns = (
  now: string,
): string => `id, external_id, name, url, events, format, header_names, is_active, last_success_at,
  last_failure_at, last_status_code, consecutive_failures, failing_since, auto_paused_at,
  case when previous_secret_expires_at > ${now} then previous_secret_expires_at end as previous_secret_expires_at,
  created_at, updated_at`;

interface WebhookFilters extends PageRequest {
  external_id?: string | null;
}

/** In the order of creation. */
export async function listWebhooks(
  db: Queryable,
  instanceId: number,
  { page, now }: { page: WebhookFilters; now: Date },
): Promise<PageOf<Webhook>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('?::timestamptz is not null', now)
    .where('external_id = ?', page.external_id);
  return await selectPage<Webhook>(
    db,
    {
      columns: webhookColumns('$2::timestamptz'),
      source: `from webhooks where ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
      is_short: true,
    },
    page,
  );
}

export async function getWebhook(
  db: Queryable,
  instanceId: number,
  { id, now }: { id: number; now: Date },
): Promise<Webhook> {
  const [row] = await db.query<Webhook>(
    `select ${webhookColumns('$3::timestamptz')} from webhooks where instance_id = $1 and id = $2`,
    [instanceId, id, now],
  );
  if (!row) throw new Problem('webhook_not_found');
  return row;
}
