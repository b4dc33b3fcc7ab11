import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { requestFor, signingColumns, type SigningWebhook } from './delivery-request.ts';
import { payloadIn } from './formats/format.ts';
import { messageId, type MailEvent } from './payload.ts';
import type { WebhookClient } from './webhook-client.ts';
import { createSecretOpener } from './webhook-secret.ts';
import type { WebhookTest } from './webhook-schemas.ts';

interface Testing {
  id: number;
  root: RootSecret;
  client: WebhookClient;
  now: Date;
}

/** A signed event of type `webhook.test`, paused or not. It is counted nowhere. */
export async function testWebhook(
  db: Queryable,
  instanceId: number,
  { id, root, client, now }: Testing,
): Promise<WebhookTest> {
  const [webhook] = await db.query<SigningWebhook>(
    `select ${signingColumns} from webhooks where instance_id = $1 and id = $2`,
    [instanceId, id],
  );
  if (!webhook) throw new Problem('webhook_not_found');
  const event_id = uuidv7({ msecs: now.getTime() });
  const body =
    webhook.format === 'chasqui'
      ? JSON.stringify({
          type: 'webhook.test',
          timestamp: now.toISOString(),
          data: { mail_id: null, webhook_id: id },
        })
      : payloadIn(webhook.format, exampleEvent(event_id, now));
  const open = createSecretOpener(root);
  const message = { id: messageId(event_id), body };
  const { status_code, error, latency_ms } = await client.post(requestFor(webhook, message, { open, now }));
  return { delivered: error === null, status_code, latency_ms, error };
}

/** Other services have no event for a test: it is a delivery to an address that does not exist. */
function exampleEvent(event_id: string, at: Date): MailEvent {
  return {
    event_id,
    event: 'sent',
    at,
    reason: null,
    data: { response: '250 2.0.0 OK' },
    mail_id: event_id,
    msg_id: event_id,
    to: 'test@example.com',
    sender: 'test@example.com',
    subject: 'Test of a webhook',
    custom_msg_id: null,
    custom_group_code: null,
    category: null,
    test_mode: true,
    tags: {},
    stream: 'transactional',
  };
}
