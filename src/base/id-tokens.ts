import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RootSecret } from './secrets.ts';

const macBytes = 16;

/** Tokens for links: an identifier and its MAC, under a key of its own for each use. */
export class IdTokens {
  readonly #key: Buffer;

  constructor(secret: RootSecret, use: string) {
    this.#key = secret.deriveKey(use);
  }

  make(id: number): string {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(id));
    return Buffer.concat([bytes, this.#mac(bytes)]).toString('base64url');
  }

  /** The identifier of a valid token. */
  read(token: string): number | undefined {
    if (!/^[\w-]{32}$/.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const id = bytes.subarray(0, 8);
    if (!timingSafeEqual(this.#mac(id), bytes.subarray(8))) return undefined;
    return Number(id.readBigUInt64BE());
  }

  #mac(id: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(id).digest().subarray(0, macBytes);
  }
}
