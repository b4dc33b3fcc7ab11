import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';

const mac_bytes = 16;

/** Identifies a submission in its confirmation link: the id and its MAC. */
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

  /** The submission id of a valid token. */
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
