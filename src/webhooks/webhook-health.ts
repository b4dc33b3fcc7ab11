import { Type, type Static } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { DateTime, Id } from '../base/http/schemas.ts';
import { getWebhook } from './webhooks.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const WebhookHealth = Type.Object(
  {
    hours: Type.Array(
      Type.Object({
        at: DateTime('When the hour begins.'),
        delivered: count('Taken by the endpoint.'),
        failed: count('Given up.'),
        pending: count('To be tried, or tried again.'),
        discarded: count('Fell due during a pause.'),
      }),
      { description: 'The last 24, oldest first, by when the event happened.' },
    ),
    is_exact: Type.Boolean({ description: 'False: only the newest 20,000 deliveries were counted.' }),
  },
  { $id: 'WebhookHealth' },
);
type WebhookHealth = Static<typeof WebhookHealth>;

const maxCounted = 20_000;

/** Deliveries of the last day, hour by hour. The newest are read by their index, however many there are. */
async function readHealth(db: Queryable, webhookId: number): Promise<WebhookHealth> {
  const hours = await db.query<WebhookHealth['hours'][number] & { newest: number }>(
    `with newest as materialized (
       select state, created_at from webhook_deliveries where webhook_id = $1 order by id desc limit $2
     )
     select hour as at, count(n.state) filter (where n.state = 'delivered') as delivered,
       count(n.state) filter (where n.state = 'failed') as failed,
       count(n.state) filter (where n.state = 'pending') as pending,
       count(n.state) filter (where n.state = 'discarded') as discarded, (select count(*) from newest) as newest
     from generate_series(date_trunc('hour', now()) - interval '23 hours', date_trunc('hour', now()), '1 hour') as hour
     left join newest n on n.created_at >= hour and n.created_at < hour + interval '1 hour'
     group by hour order by hour`,
    [webhookId, maxCounted],
  );
  return {
    hours: hours.map(({ newest: _newest, ...hour }) => hour),
    is_exact: (hours[0]?.newest ?? 0) < maxCounted,
  };
}

export function webhookHealthRoutes({ db, clock }: { db: Queryable; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'panel_get_webhook_health',
      method: 'GET',
      path: '/v1/private/webhooks/{id}/health',
      tag: 'Webhooks',
      summary: 'See how the deliveries of the last day went',
      description: 'Hour by hour.',
      access: { kind: 'user', role: 'viewer' },
      params: Type.Object({ id: Id('Identifier of the webhook.') }),
      success: {
        status: 200,
        description: 'The last 24 hours.',
        schema: WebhookHealth,
        example: {
          hours: [{ at: '2026-12-01T12:00:00.000Z', delivered: 118, failed: 0, pending: 2, discarded: 0 }],
          is_exact: true,
        },
      },
      errors: ['webhook_not_found'],
      handle: async ({ caller, params }) => {
        await getWebhook(db, caller.instance.id, { id: params.id, now: clock.now() });
        return await readHealth(db, params.id);
      },
    }),
  ];
}
