import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { requestFor, signingColumns, type SigningWebhook } from './delivery-request.ts';
import { messageId } from './payload.ts';
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
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: now.toISOString(),
    data: { mail_id: null, webhook_id: id },
  });
  const open = createSecretOpener(root);
  const message = { id: messageId(uuidv7({ msecs: now.getTime() })), body };
  const { status_code, error, latency_ms } = await client.post(requestFor(webhook, message, { open, now }));
  return { delivered: error === null, status_code, latency_ms, error };
}
