import type { KeyObject } from 'node:crypto';
import type { WebhookFormat } from './formats/format.ts';
import { signEcdsa, signingKeyOf } from './formats/signing-key.ts';
import type { Delivery } from './webhook-client.ts';
import type { OpenHeaders } from './webhook-headers.ts';
import { basicCredentials, sign, type OpenSecret } from './webhook-secret.ts';

/** The columns of a webhook that a request needs. */
export const signingColumns = 'id, url, format, secret, previous_secret, previous_secret_expires_at, headers';

export interface SigningWebhook {
  id: number;
  url: string;
  format: WebhookFormat;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_expires_at: Date | null;
  /** Sealed. */
  headers: Buffer | null;
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
  { open, openHeaders, now }: { open: OpenSecret; openHeaders: OpenHeaders; now: Date },
): Delivery {
  const { previous_secret, previous_secret_expires_at } = webhook;
  const isInGrace = previous_secret_expires_at !== null && previous_secret_expires_at > now;
  const sealed = [webhook.secret, ...(previous_secret && isInGrace ? [previous_secret] : [])];
  const keys = sealed.map((each) => open(webhook.id, each));
  const timestamp = Math.floor(now.getTime() / 1000);
  const signature = sign(keys, { id, timestamp, body });
  const own = webhook.headers ? openHeaders(webhook.id, webhook.headers) : {};
  return {
    url: webhook.url,
    hidden: Object.keys(own),
    headers: {
      // First: what we say stands over it.
      ...own,
      'content-type': 'application/json',
      'user-agent': 'Chasqui-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
      ...headersOfFormat(webhook.format, keys[0] as KeyObject, { id, timestamp, body, signature }),
    },
    body,
  };
}

/** What receivers of another service verify, beside ours. A rotation changes their credentials at once. */
function headersOfFormat(
  format: WebhookFormat,
  key: KeyObject,
  { id, timestamp, body, signature }: WebhookMessage & { timestamp: number; signature: string },
): Record<string, string> {
  switch (format) {
    case 'chasqui':
      return {};
    case 'resend':
      return { 'svix-id': id, 'svix-timestamp': String(timestamp), 'svix-signature': signature };
    case 'postmark': {
      const { username, password } = basicCredentials(key);
      return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    }
    case 'sendgrid':
    default:
      return {
        'x-twilio-email-event-webhook-signature': signEcdsa(signingKeyOf(key), timestamp, body),
        'x-twilio-email-event-webhook-timestamp': String(timestamp),
      };
  }
}
