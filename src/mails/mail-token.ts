import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';

/** A token of one use is not valid for another. */
const uses = ['bounce', 'unsubscribe', 'report', 'view', 'reply'] as const;
export type TokenUse = (typeof uses)[number];

const idBytes = 16;
const macBytes = 8;
const form = /^[0-9a-f]{48}$/;

/** Identifies a mail to outsiders without revealing its recipient: the id and its MAC, in hex. */
export class MailTokens {
  readonly #keys: Record<TokenUse, KeyObject>;

  constructor(secret: RootSecret) {
    const keys = uses.map((use) => [use, createSecretKey(secret.deriveKey(`mail-token ${use}`))]);
    this.#keys = Object.fromEntries(keys) as Record<TokenUse, KeyObject>;
  }

  /** Lower-case hex: the local part of an address may come back in either case. */
  make(use: TokenUse, mailId: string): string {
    const id = mailId.replaceAll('-', '');
    return id + this.#mac(use, Buffer.from(id, 'hex'));
  }

  /** The mail id of a valid token. */
  read(use: TokenUse, token: string): string | undefined {
    const text = token.toLowerCase();
    if (!form.test(text)) return undefined;
    const id = text.slice(0, idBytes * 2);
    const mac = this.#mac(use, Buffer.from(id, 'hex'));
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(text.slice(id.length)))) return undefined;
    return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  #mac(use: TokenUse, id: Buffer): string {
    return createHmac('sha256', this.#keys[use]).update(id).digest().toString('hex', 0, macBytes);
  }
}
