import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../../base/db/database.ts';
import { hashToken, type RootSecret } from '../../base/secrets.ts';

const lifetimeMs = 5 * 60_000;
const nonceBytes = 16;
const timeBytes = 6;
const headBytes = nonceBytes + timeBytes;
const totalBytes = headBytes + 32;

/**
 * Challenges that prove themselves, so that strangers who ask for them fill no table: a nonce, when it expires, and an HMAC over
 * both and the purpose. One that was answered rightly is stored until it expires, since each counts once.
 */
export class Challenges {
  readonly #key: Buffer;

  constructor(secret: RootSecret) {
    this.#key = secret.deriveKey('webauthn-challenge');
  }

  issue(purpose: string, now: Date): string {
    const head = Buffer.alloc(headBytes);
    randomBytes(nonceBytes).copy(head);
    head.writeUIntBE(now.getTime() + lifetimeMs, nonceBytes, timeBytes);
    return Buffer.concat([head, this.#seal(purpose, head)]).toString('base64url');
  }

  /** Whether it was issued here for this purpose and has not expired. */
  isValid(challenge: string, purpose: string, now: Date): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== totalBytes || bytes.toString('base64url') !== challenge) return false;
    const head = bytes.subarray(0, headBytes);
    if (!timingSafeEqual(this.#seal(purpose, head), bytes.subarray(headBytes))) return false;
    return head.readUIntBE(nonceBytes, timeBytes) > now.getTime();
  }

  /** False for one that was used before. */
  async use(tx: Queryable, challenge: string, now: Date): Promise<boolean> {
    const used = await tx.query(
      'insert into used_challenges (hash, expires_at) values ($1, $2) on conflict do nothing returning hash',
      [hashToken(challenge), new Date(now.getTime() + lifetimeMs)],
    );
    return used.length > 0;
  }

  #seal(purpose: string, head: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(purpose).update('\0').update(head).digest();
  }
}
