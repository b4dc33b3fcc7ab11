import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';

/** What a token is good for: one made for a bounce address opens no unsubscribe page. */
const uses = ['bounce', 'unsubscribe', 'report', 'view'] as const;
export type TokenUse = (typeof uses)[number];

const mac_bytes = 8;
const form = /^[0-9a-f]{48}$/;

/** Names one mail to the outside without telling its recipient, and cannot be made up: the id and a MAC of it, in hex. */
export class MailTokens {
  /** As objects: a key given as bytes is prepared anew for each MAC, which takes four times as long as the MAC. */
  readonly #keys: Record<TokenUse, KeyObject>;

  constructor(secret: RootSecret) {
    const keys = uses.map((use) => [use, createSecretKey(secret.deriveKey(`mail-token ${use}`))]);
    this.#keys = Object.fromEntries(keys) as Record<TokenUse, KeyObject>;
  }

  /** In lower case hex, since the local part of an address may come back in either case. */
  make(use: TokenUse, mailId: string): string {
    const id = Buffer.from(mailId.replaceAll('-', ''), 'hex');
    return Buffer.concat([id, this.#mac(use, id)]).toString('hex');
  }

  /** The mail a token names; undefined for one that is not ours. */
  read(use: TokenUse, token: string): string | undefined {
    const text = token.toLowerCase();
    if (!form.test(text)) return undefined;
    const bytes = Buffer.from(text, 'hex');
    const id = bytes.subarray(0, 16);
    if (!timingSafeEqual(this.#mac(use, id), bytes.subarray(16))) return undefined;
    return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  #mac(use: TokenUse, id: Buffer): Buffer {
    return createHmac('sha256', this.#keys[use]).update(id).digest().subarray(0, mac_bytes);
  }
}
