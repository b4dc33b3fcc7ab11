import { timingSafeEqual } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';
import { ShortHmac } from '../base/short-hmac.ts';

/** A token of one use is not valid for another. */
const uses = ['bounce', 'unsubscribe', 'report', 'view'] as const;
export type TokenUse = (typeof uses)[number];

const id_bytes = 16;
const mac_bytes = 8;
const form = /^[0-9a-f]{48}$/;

/** Identifies a mail to outsiders without revealing its recipient: the id and its MAC, in hex. */
export class MailTokens {
  readonly #hmacs: Record<TokenUse, ShortHmac>;

  constructor(secret: RootSecret) {
    const hmacs = uses.map((use) => [use, new ShortHmac(secret.deriveKey(`mail-token ${use}`), id_bytes)]);
    this.#hmacs = Object.fromEntries(hmacs) as Record<TokenUse, ShortHmac>;
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
    const id = text.slice(0, id_bytes * 2);
    const mac = this.#mac(use, Buffer.from(id, 'hex'));
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(text.slice(id.length)))) return undefined;
    return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  #mac(use: TokenUse, id: Buffer): string {
    return Buffer.from(this.#hmacs[use].digest(id).slice(0, mac_bytes), 'latin1').toString('hex');
  }
}
