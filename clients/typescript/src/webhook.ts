import type { WebhookEvent } from './operations.ts';

/** The delivery is not genuine: answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type HeaderSource = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** The body as it arrived, before it is parsed. */
  body: string | Uint8Array;
  headers: HeaderSource;
  /** `whsec_…`; several while you change over by hand. */
  secret: string | string[];
  /** How far the clocks may be apart; 5 minutes unless said. */
  tolerance_seconds?: number;
}

/** The event of a delivery (Standard Webhooks 1.0), once its signature is verified. */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const { headers, secret, tolerance_seconds = 300 } = options;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > tolerance_seconds)
    throw new WebhookVerificationError('The timestamp is too old or too new.');
  const body = typeof options.body === 'string' ? encode(options.body) : options.body;
  const signed = joined(encode(`${id}.${timestamp}.`), body);
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  for (const each of [secret].flat()) {
    if (await isSignedWith(each, signed, signatures))
      return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  }
  throw new WebhookVerificationError('No signature is of the secret.');
}

async function isSignedWith(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: string[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new TypeError('The secret is not one of a webhook.');
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  for (const signature of signatures) {
    const given = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : undefined;
    // Compares in constant time.
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
}

function headerOf(headers: HeaderSource, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return [found ?? ''].flat()[0] ?? '';
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
