import type { Delivery } from './webhook-client.ts';
import { sign, type OpenSecret } from './webhook-secret.ts';

/** The columns of a webhook that a request needs. */
export const signingColumns = 'id, url, secret, previous_secret, previous_secret_expires_at';

export interface SigningWebhook {
  id: number;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_expires_at: Date | null;
}

/** `id` is unique per event and the same for every attempt: receivers use it to deduplicate. */
export interface WebhookMessage {
  id: string;
  body: string;
}

/** Standard Webhooks 1.0: signed with the current secret and, for a day after a rotation, with the previous one too. */
export function requestFor(
  webhook: SigningWebhook,
  { id, body }: WebhookMessage,
  { open, now }: { open: OpenSecret; now: Date },
): Delivery {
  const { previous_secret, previous_secret_expires_at } = webhook;
  const isInGrace = previous_secret_expires_at !== null && previous_secret_expires_at > now;
  const sealed = [webhook.secret, ...(previous_secret && isInGrace ? [previous_secret] : [])];
  const keys = sealed.map((each) => open(webhook.id, each));
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Chasqui-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(keys, { id, timestamp, body }),
    },
    body,
  };
}
