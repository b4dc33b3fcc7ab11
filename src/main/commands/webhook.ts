import { createWebhook, deleteWebhook } from '../../webhooks/change-webhook.ts';
import type { EventType } from '../../webhooks/event-types.ts';
import { testWebhook } from '../../webhooks/test-webhook.ts';
import { createWebhookClient } from '../../webhooks/webhook-client.ts';
import { NewWebhook } from '../../webhooks/webhook-schemas.ts';
import { requireUrl } from '../../webhooks/webhook-url.ts';
import { listWebhooks } from '../../webhooks/webhooks.ts';
import { idOf, instance, list, optional, required, type Command, type CommandInput } from '../command.ts';
import { endpointPolicy } from '../platform-services.ts';
import { openRootSecret } from '../root-secret.ts';
import { changeInstance, operator, withInstance } from './with-store.ts';
import { listCommand } from './list-command.ts';
import { requireValid } from './require-valid.ts';

function readWebhook(input: CommandInput): NewWebhook {
  const events = list(optional(input, 'events')) as EventType[];
  const format = optional(input, 'format') as NewWebhook['format'];
  const webhook: NewWebhook = {
    name: required(input, 'name'),
    url: required(input, 'url'),
    events: events.length > 0 ? events : null,
    is_active: input.options['paused'] !== true,
    ...(format === undefined ? {} : { format }),
  };
  requireValid(NewWebhook, webhook);
  return webhook;
}

export const webhookCreate: Command = {
  name: 'webhook create',
  arguments: '--instance S --name N --url U [--events a,b] [--paused] [--format F]',
  summary: 'Registers an endpoint for events and prints its signing secret, this once.',
  options: {
    instance,
    name: { type: 'string', about: 'What to call it.' },
    url: { type: 'string', about: 'Its https URL.' },
    events: { type: 'string', about: 'Types such as mail.sent,mail.bounced (default all).' },
    paused: { type: 'boolean', about: 'Leave it paused at first.' },
    format: {
      type: 'string',
      about: 'Whose form its requests have: resend, postmark or sendgrid (default ours).',
    },
  },
  example: 'chasqui webhook create --instance acme --name Orders --url https://acme.cl/hooks/mail',
  async run(input) {
    const webhook = readWebhook(input);
    const created = await withInstance(input, async (db, { id }, { config }) => {
      const root = await openRootSecret(db, config);
      await requireUrl(webhook.url, endpointPolicy(config));
      const wanted = { webhook, root, actor: operator, now: new Date() };
      return await db.transaction(async (tx) => await createWebhook(tx, id, wanted));
    });
    const text = `Webhook ${created.id} receives events at ${created.url}\nsecret: ${created.secret}`;
    return { text, json: created };
  },
};

export const webhookList = listCommand('webhook', {
  summary: 'Lists the webhooks of an instance and how their deliveries go.',
  what: 'webhooks',
  list: async (db, instanceId, page) => await listWebhooks(db, instanceId, { page, now: new Date() }),
  columns: {
    id: (webhook) => webhook.id,
    name: (webhook) => webhook.name,
    state: ({ is_active, auto_paused_at }) =>
      is_active ? 'active' : `PAUSED${auto_paused_at ? ' automatically' : ''}`,
    failures: ({ consecutive_failures }) => consecutive_failures,
    events: ({ events }) => events?.join(',') ?? 'all',
    url: ({ url }) => url,
  },
});

export const webhookDelete: Command = {
  name: 'webhook delete',
  arguments: '--instance S ID',
  summary: 'Deletes a webhook; what waits to be delivered to it is discarded.',
  options: { instance },
  example: 'chasqui webhook delete --instance acme 4',
  async run(input) {
    const id = idOf(input);
    await changeInstance(
      input,
      async (tx, { id: instanceId }) => await deleteWebhook(tx, instanceId, { id, actor: operator }),
    );
    return { text: `Webhook ${id} is deleted.`, json: { id } };
  },
};

export const webhookTest: Command = {
  name: 'webhook test',
  arguments: '--instance S ID',
  summary: 'Posts a signed test event and tells what the endpoint answered.',
  options: { instance },
  example: 'chasqui webhook test --instance acme 4',
  async run(input) {
    const id = idOf(input);
    const result = await withInstance(input, async (db, { id: instanceId }, { config }) => {
      const root = await openRootSecret(db, config);
      const client = createWebhookClient({ policy: endpointPolicy(config) });
      try {
        return await testWebhook(db, instanceId, { id, root, client, now: new Date() });
      } finally {
        await client.stop();
      }
    });
    const said = result.status_code === null ? result.error : `answered ${result.status_code}`;
    return { text: `The endpoint ${said} after ${result.latency_ms} ms.`, json: result };
  },
};
