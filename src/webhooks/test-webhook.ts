import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { requestFor, signingColumns, type SigningWebhook } from './delivery-request.ts';
import type { MailEventType, ReceivedEventType } from './event-types.ts';
import { eventsOfFormat, payloadIn } from './formats/format.ts';
import { messageId, type MailEvent } from './payload.ts';
import { exampleDataOf } from './payload-schemas.ts';
import { exampleReceived, renderReceived } from './received-events.ts';
import type { WebhookClient } from './webhook-client.ts';
import { createHeaderOpener } from './webhook-headers.ts';
import { createSecretOpener } from './webhook-secret.ts';
import type { WebhookTest } from './webhook-schemas.ts';

interface Testing {
  id: number;
  root: RootSecret;
  client: WebhookClient;
  now: Date;
  /** Whose example is posted; undefined for `webhook.test`. */
  type?: MailEventType | ReceivedEventType | undefined;
}

/** A signed event of type `webhook.test`, paused or not. It is counted nowhere. */
export async function testWebhook(
  db: Queryable,
  instanceId: number,
  { id, root, client, now, type }: Testing,
): Promise<WebhookTest> {
  const [webhook] = await db.query<SigningWebhook>(
    `select ${signingColumns} from webhooks where instance_id = $1 and id = $2`,
    [instanceId, id],
  );
  if (!webhook) throw new Problem('webhook_not_found');
  const event_id = uuidv7({ msecs: now.getTime() });
  if (type !== undefined && !eventsOfFormat(webhook.format).includes(type)) {
    const message = `Webhooks of format ${webhook.format} have no ${type}`;
    throw validationProblem([{ pointer: '/type', code: 'value_error.event', message }]);
  }
  const body = exampleBody(webhook, { event_id, now, type });
  const open = createSecretOpener(root);
  const message = { id: messageId(event_id), body };
  const openHeaders = createHeaderOpener(root);
  const request = requestFor(webhook, message, { open, openHeaders, now });
  const { status_code, error, latency_ms, body: response_body } = await client.post(request);
  return { delivered: error === null, status_code, latency_ms, error, request_body: body, response_body };
}

function exampleBody(
  { id: webhook_id, format }: SigningWebhook,
  { event_id, now, type }: Pick<Testing, 'now' | 'type'> & { event_id: string },
): string {
  if (type === 'mail.received') return renderReceived(format, exampleReceived(event_id, now));
  if (format !== 'chasqui' || type !== undefined)
    return payloadIn(format, exampleEvent(event_id, { at: now, type: type ?? 'mail.sent' }));
  const data = { mail_id: null, webhook_id };
  return JSON.stringify({ type: 'webhook.test', timestamp: now.toISOString(), data });
}

/** A mail to an address that does not exist. Other services have no event for a test: it is a delivery. */
function exampleEvent(event_id: string, { at, type }: { at: Date; type: MailEventType }): MailEvent {
  const data = exampleDataOf(type);
  return {
    event_id,
    event: type.slice('mail.'.length),
    at,
    reason: typeof data['reason'] === 'string' ? data['reason'] : null,
    data: { ...data, response: data['response'] ?? data['diagnostic'] },
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
