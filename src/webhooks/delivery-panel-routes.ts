import { Type } from 'typebox';
import { isAtLeast } from '../base/http/access.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { audited } from '../audit/index.ts';
import { getDelivery, listDeliveries } from './deliveries.ts';
import {
  deliveryDetailExample,
  deliveryExample,
  deliveryStates,
  Replay,
  Replayed,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from './delivery-schemas.ts';
import { eventTypes } from './event-types.ts';
import { maxReplayed, replayDelivery, replayRange } from './replay.ts';
import type { WebhooksContext } from './webhook-routes.ts';
import { getWebhook } from './webhooks.ts';

const tag = 'Webhooks';
const act = { kind: 'user', role: 'developer' } as const;
const view = { kind: 'user', role: 'viewer' } as const;
const webhookId = Id('Identifier of the webhook.');
const params = Type.Object({ id: webhookId, delivery_id: Id('Identifier of the delivery.') });
const date = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: 254, description })));

export function deliveryPanelRoutes(context: WebhooksContext): Operation[] {
  return [...logRoutes(context), ...replayRoutes(context)];
}

function logRoutes({ db, clock, received_links }: WebhooksContext): Operation[] {
  return [
    operation({
      id: 'panel_list_webhook_deliveries',
      method: 'GET',
      path: '/v1/private/webhooks/{id}/deliveries',
      tag,
      summary: 'List deliveries of a webhook',
      description: 'What was and will be posted to it, newest first; kept for 30 days.',
      access: view,
      params: Type.Object({ id: webhookId }),
      query: PageQuery({
        state: Type.Optional(Nullable(Enum(deliveryStates, { description: 'Only in this state.' }))),
        type: Type.Optional(Nullable(Enum(eventTypes, { description: 'Only of this type.' }))),
        start_date: date('First local date of the events, `YYYY-MM-DD`; a month ago when left out.'),
        end_date: date('Last local date, inclusive; today when left out.'),
        tz: date('IANA zone of the dates; that of the instance by default.'),
      }),
      success: onePage('deliveries', WebhookDelivery, deliveryExample),
      errors: ['webhook_not_found'],
      handle: async ({ caller: { instance }, params: { id }, query }) => {
        const now = clock.now();
        const range = readDateRange(query, { now, timezone: instance.timezone, months: 1 });
        await getWebhook(db, instance.id, { id, now });
        const filters = { range, state: query.state, type: query.type };
        return await listDeliveries(db, id, { filters, page: query });
      },
    }),
    operation({
      id: 'panel_get_webhook_delivery',
      method: 'GET',
      path: '/v1/private/webhooks/{id}/deliveries/{delivery_id}',
      tag,
      summary: 'Read a delivery',
      description:
        'What is posted, and for each attempt the request, the answer, the time it took and the next one. Viewers do not see the signature.',
      access: view,
      params,
      success: {
        status: 200,
        description: 'The delivery.',
        schema: WebhookDeliveryDetail,
        example: deliveryDetailExample,
      },
      errors: ['webhook_not_found', 'webhook_delivery_not_found'],
      handle: async ({ caller, params: { id, delivery_id } }) => {
        const now = clock.now();
        await getWebhook(db, caller.instance.id, { id, now });
        const delivery = await getDelivery(db, id, { id: delivery_id, links: received_links, now });
        // With body and signature a request can be posted again as ours, as long as its time is accepted.
        const { actor } = caller;
        return actor.kind === 'user' && isAtLeast(actor.role, act.role)
          ? delivery
          : withoutSignatures(delivery);
      },
    }),
  ];
}

function withoutSignatures({ log, ...delivery }: WebhookDeliveryDetail): WebhookDeliveryDetail {
  const shown = log.map(({ request_headers, ...attempt }) => {
    const headers = Object.entries(request_headers).filter(([name]) => !name.endsWith('-signature'));
    return { ...attempt, request_headers: Object.fromEntries(headers) };
  });
  return { ...delivery, log: shown };
}

function replayRoutes({ db, clock }: WebhooksContext): Operation[] {
  return [
    operation({
      id: 'panel_replay_webhook_delivery',
      method: 'POST',
      path: '/v1/private/webhooks/{id}/deliveries/{delivery_id}/replay',
      tag,
      summary: 'Deliver once more',
      description:
        'Posts it again at once, whether it was delivered or not, under the same `webhook-id`, with all retries before it.',
      access: act,
      params,
      success: {
        status: 200,
        description: 'The delivery.',
        schema: WebhookDelivery,
        example: { ...deliveryExample, attempts: 0 },
      },
      errors: ['webhook_not_found', 'webhook_paused', 'webhook_delivery_not_found'],
      handle: async (call) => {
        const { id, delivery_id } = call.params;
        const wanted = { webhook_id: id, id: delivery_id, now: clock.now() };
        return await audited(db, replayDelivery)(call, wanted);
      },
    }),
    operation({
      id: 'panel_replay_webhook',
      method: 'POST',
      path: '/v1/private/webhooks/{id}/replay',
      tag,
      summary: 'Deliver a range of time once more',
      description: `Posts again what happened in a range of time, of some types or all, delivered or not; at most ${maxReplayed} deliveries in one call. While \`has_more\`, call again with the \`after\` of the answer. Events that happened in a pause were never for this webhook and stay so.`,
      access: act,
      params: Type.Object({ id: webhookId }),
      body: Replay,
      body_example: {
        from: '2026-12-01T12:00:00Z',
        until: '2026-12-01T13:00:00Z',
        types: ['mail.bounced'],
      },
      success: {
        status: 200,
        description: 'How many are due now.',
        schema: Replayed,
        example: { replayed: 120, has_more: false, after: 4711 },
      },
      errors: ['webhook_not_found', 'webhook_paused'],
      handle: async (call) =>
        await audited(db, replayRange)(call, {
          webhook_id: call.params.id,
          replay: call.body,
          now: clock.now(),
        }),
    }),
  ];
}
