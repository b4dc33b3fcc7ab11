import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { externalIdFilter } from '../base/http/external-id.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { Id } from '../base/http/schemas.ts';
import type { RootSecret } from '../base/secrets.ts';
import { audited } from '../audit/index.ts';
import type { ReceivedLinks } from '../received/index.ts';
import { createWebhook, deleteWebhook, rotateSecret, updateWebhook } from './change-webhook.ts';
import type { EndpointPolicy } from './endpoint-address.ts';
import { testWebhook } from './test-webhook.ts';
import { violationsOfHeaders } from './webhook-headers.ts';
import type { WebhookClient } from './webhook-client.ts';
import {
  CreatedWebhook,
  maxWebhooks,
  NewWebhook,
  RotatedSecret,
  TestQuery,
  secretExample,
  Webhook,
  WebhookChanges,
  webhookExample,
  WebhookTest,
} from './webhook-schemas.ts';
import { requireUrl, validateUrlText } from './webhook-url.ts';
import { getWebhook, listWebhooks } from './webhooks.ts';

export interface WebhooksContext {
  db: Database;
  clock: Clock;
  root: RootSecret;
  policy: EndpointPolicy;
  client: WebhookClient;
  /** Of files in events of received mail. */
  received_links: ReceivedLinks;
}

const tag = 'Webhooks';
const params = Type.Object({ id: Id('Identifier of the webhook.') });
const writing = { kind: 'api_key', scope: 'webhooks:write', role: 'developer' } as const;
const reading = { kind: 'api_key', scope: 'webhooks:read' } as const;

export function webhookReadRoutes({ db, clock }: WebhooksContext): Operation[] {
  return [
    operation({
      id: 'list_webhooks',
      method: 'GET',
      path: '/v1/webhooks',
      tag,
      summary: 'List webhooks',
      description: 'The webhooks of the instance, in the order of creation.',
      access: reading,
      query: PageQuery(externalIdFilter),
      success: onePage('webhooks', Webhook, webhookExample),
      errors: [],
      handle: async ({ caller, query }) =>
        await listWebhooks(db, caller.instance.id, { page: query, now: clock.now() }),
    }),
    operation({
      id: 'get_webhook',
      method: 'GET',
      path: '/v1/webhooks/{id}',
      tag,
      summary: 'Read a webhook',
      description: 'One webhook and how its last deliveries went, without its secret.',
      access: reading,
      params,
      success: { status: 200, description: 'The webhook.', schema: Webhook, example: webhookExample },
      errors: ['webhook_not_found'],
      handle: async ({ caller, params: { id } }) =>
        await getWebhook(db, caller.instance.id, { id, now: clock.now() }),
    }),
  ];
}

export function webhookWriteRoutes(context: WebhooksContext): Operation[] {
  return [...configurationRoutes(context), ...secretRoutes(context)];
}

function configurationRoutes({ db, clock, root, policy }: WebhooksContext): Operation[] {
  return [
    operation({
      id: 'create_webhook',
      method: 'POST',
      path: '/v1/webhooks',
      tag,
      summary: 'Create a webhook',
      description: `Registers an endpoint of yours for events from now on. The answer has the signing secret, which is not shown again. An instance has at most ${maxWebhooks} webhooks. A URL that may not be used is refused with \`webhook_url_insecure\` or \`webhook_url_not_allowed\` in \`errors[]\`.`,
      access: writing,
      body: NewWebhook,
      body_example: {
        name: 'Orders',
        url: 'https://example.com/hooks/mail',
        events: ['mail.bounced', 'mail.complained'],
      },
      validate: validateWith(policy),
      success: {
        status: 201,
        description: 'The webhook and its secret.',
        schema: CreatedWebhook,
        example: {
          ...webhookExample,
          last_success_at: null,
          last_status_code: null,
          updated_at: webhookExample.created_at,
          secret: secretExample,
          public_key: null,
          basic_auth: null,
        },
      },
      location: '/v1/webhooks/{id}',
      errors: ['external_id_already_exists', 'webhook_limit_reached'],
      handle: async (call) => {
        await requireUrl(call.body.url, policy);
        return await audited(db, createWebhook)(call, { webhook: call.body, root, now: clock.now() });
      },
    }),
    ...updateRoutes({ db, clock, root, policy }),
    operation({
      id: 'delete_webhook',
      method: 'DELETE',
      path: '/v1/webhooks/{id}',
      tag,
      summary: 'Delete a webhook',
      description: 'Deliveries stop and those that wait to be tried again are discarded.',
      access: writing,
      params,
      success: { status: 204, description: 'It is gone.' },
      errors: ['webhook_not_found'],
      handle: async (call) => await audited(db, deleteWebhook)(call, { id: call.params.id }),
    }),
  ];
}

function updateRoutes({
  db,
  clock,
  root,
  policy,
}: Pick<WebhooksContext, 'db' | 'clock' | 'root' | 'policy'>): Operation[] {
  const read = async ({ caller, params: { id } }: ResourceCall<typeof params>) =>
    await getWebhook(db, caller.instance.id, { id, now: clock.now() });
  const apply = async (call: ResourceCall<typeof params>, changes: WebhookChanges) => {
    // 404 takes precedence over an invalid URL, and saves the DNS lookup.
    await read(call);
    if (changes.url !== undefined) await requireUrl(changes.url, policy);
    return await audited(db, updateWebhook)(call, {
      id: call.params.id,
      changes,
      root,
      now: clock.now(),
    });
  };
  const patch = operation({
    id: 'update_webhook',
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    tag,
    summary: 'Change a webhook',
    description:
      'What is left out stays as it is. Pausing (`is_active: false`) discards what happens or falls due until it is resumed. Resuming clears the failures and tries the next delivery at once. Another URL clears the failures, keeps the secret, and does not resume.',
    access: writing,
    params,
    body: WebhookChanges,
    body_example: { is_active: false },
    validate: validateWith(policy),
    success: { status: 200, description: 'The webhook.', schema: Webhook, example: webhookExample },
    errors: ['webhook_not_found', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'WebhookReplacement',
    summary: 'Replace a webhook',
    params,
    creation: NewWebhook,
    changes: WebhookChanges,
    fixed: ['format'],
    hidden: ['headers'],
    read,
    apply,
  });
  return [patch, put];
}

function validateWith(policy: EndpointPolicy) {
  return (body: unknown) => [
    ...validateUrlText((body as { url?: unknown } | null)?.url, policy),
    ...violationsOfHeaders(body),
  ];
}

function secretRoutes({ db, clock, root, client }: WebhooksContext): Operation[] {
  return [
    operation({
      id: 'rotate_webhook_secret',
      method: 'POST',
      path: '/v1/webhooks/{id}/rotate-secret',
      tag,
      summary: 'Replace the signing secret',
      description:
        'The new secret signs at once. For 24 hours the previous one signs too, so that receivers can be changed one after the other.',
      access: writing,
      params,
      success: {
        status: 200,
        description: 'The new secret, shown this once.',
        schema: RotatedSecret,
        example: {
          secret: secretExample,
          public_key: null,
          basic_auth: null,
          previous_secret_expires_at: '2026-12-02T12:00:00.000Z',
        },
      },
      errors: ['webhook_not_found'],
      handle: async (call) =>
        await audited(db, rotateSecret)(call, { id: call.params.id, root, now: clock.now() }),
    }),
    operation({
      id: 'test_webhook',
      method: 'POST',
      path: '/v1/webhooks/{id}/test',
      tag,
      summary: 'Send a test event',
      description:
        'Posts a signed event of type `webhook.test`, or an example of `type`, to the URL, paused or not, and tells what came of it. It does not count as a delivery.',
      access: writing,
      params,
      query: TestQuery,
      success: {
        status: 200,
        description: 'What the endpoint answered.',
        schema: WebhookTest,
        example: {
          delivered: true,
          status_code: 204,
          latency_ms: 87,
          error: null,
          request_body:
            '{"type":"webhook.test","timestamp":"2026-12-01T12:00:00.000Z","data":{"mail_id":null,"webhook_id":4}}',
          response_body: '',
        },
      },
      errors: ['webhook_not_found'],
      handle: async ({ caller, params: { id }, query }) =>
        await testWebhook(db, caller.instance.id, {
          id,
          root,
          client,
          now: clock.now(),
          type: query.type ?? undefined,
        }),
    }),
  ];
}
