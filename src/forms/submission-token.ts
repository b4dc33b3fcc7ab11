import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';

const mac_bytes = 16;

/** Names a submission to whoever got its confirmation, and cannot be made up: the id and a MAC of it. */
export class SubmissionTokens {
  readonly #key: Buffer;

  constructor(secret: RootSecret) {
    this.#key = secret.deriveKey('submission-token confirm');
  }

  make(id: number): string {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(id));
    return Buffer.concat([bytes, this.#mac(bytes)]).toString('base64url');
  }

  /** The submission that a token names; undefined for one that is not ours. */
  read(token: string): number | undefined {
    if (!/^[\w-]{32}$/.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const id = bytes.subarray(0, 8);
    if (!timingSafeEqual(this.#mac(id), bytes.subarray(8))) return undefined;
    return Number(id.readBigUInt64BE());
  }

  #mac(id: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(id).digest().subarray(0, mac_bytes);
  }
}
