import { createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';

const use = 'webhook';
const prefix = 'whsec_';

export interface NewSecret {
  /** Shown to the owner once. */
  text: string;
  sealed: Buffer;
  key: KeyObject;
}

/** Associated data: binds the ciphertext to its row. */
const contextOf = (webhookId: number): string => `webhook/${webhookId}`;

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
export function newSecret(root: RootSecret, webhookId: number): NewSecret {
  const key = randomBytes(32);
  return {
    text: prefix + key.toString('base64'),
    sealed: root.encrypt(use, key, contextOf(webhookId)),
    key: createSecretKey(key),
  };
}

/** Credentials of the form of Postmark, which has no signature: made of the secret, and of no use to find it. */
export function basicCredentials(key: KeyObject): { username: string; password: string } {
  const password = Buffer.from(hkdfSync('sha256', key, '', 'chasqui webhook basic', 24));
  return { username: 'chasqui', password: password.toString('base64url') };
}

export type OpenSecret = (webhookId: number, sealed: Buffer) => KeyObject;

const maxCached = 1_000;

/** A cache: decrypting a secret takes as long as posting a delivery. */
export function createSecretOpener(root: RootSecret): OpenSecret {
  const opened = new BoundedMap<string, KeyObject>({
    max_entries: maxCached,
    evicts: 'least_recently_used',
  });
  return (webhookId, sealed) => {
    const name = `${webhookId} ${sealed.toString('latin1')}`;
    return opened.getOrSet(name, () => createSecretKey(root.decrypt(use, sealed, contextOf(webhookId))));
  };
}

export interface SignedContent {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The `webhook-signature` header: one signature per key, the current key first. */
export function sign(keys: readonly KeyObject[], { id, timestamp, body }: SignedContent): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' ');
}
