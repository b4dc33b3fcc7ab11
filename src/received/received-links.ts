import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { RootSecret } from '../base/secrets.ts';

/** A file of a received mail: its source, or the attachment with this number. */
export interface LinkedFile {
  id: string;
  n: number | 'raw';
}

const dayMs = 86_400_000;
const validDays = 7;
const macBytes = 16;
/** The id, the number (0: the source) and the last day. */
const subjectBytes = 16 + 2 + 4;
const form = /^[\w-]{51}$/;

/** Links to files of received mail that need no session: the link gives that file until its last day ends. */
export class ReceivedLinks {
  readonly #key: KeyObject;
  readonly #base_url: () => string;

  constructor(secret: RootSecret, base_url: () => string) {
    this.#key = createSecretKey(secret.deriveKey('received-file'));
    this.#base_url = base_url;
  }

  /** Links that are made on one day are the same. */
  url({ id, n }: LinkedFile, now: Date): string {
    const head = Buffer.alloc(subjectBytes);
    head.write(id.replaceAll('-', ''), 0, 'hex');
    head.writeUInt16BE(n === 'raw' ? 0 : n, 16);
    head.writeUInt32BE(Math.floor(now.getTime() / dayMs) + validDays, 18);
    const token = Buffer.concat([head, this.#mac(head)]).toString('base64url');
    return `${this.#base_url()}/v1/received-files/${token}`;
  }

  /** Until when a link that is made now can be used. */
  expiresAt(now: Date): Date {
    return new Date((Math.floor(now.getTime() / dayMs) + validDays + 1) * dayMs);
  }

  /** Undefined for a token that is forged, changed or expired. */
  read(token: string, now: Date): LinkedFile | undefined {
    if (!form.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const head = bytes.subarray(0, subjectBytes);
    const mac = bytes.subarray(subjectBytes);
    if (mac.length !== macBytes || !timingSafeEqual(mac, this.#mac(head))) return undefined;
    if (Math.floor(now.getTime() / dayMs) > head.readUInt32BE(18)) return undefined;
    const id = head.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const n = head.readUInt16BE(16);
    return { id, n: n === 0 ? 'raw' : n };
  }

  #mac(head: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(head).digest().subarray(0, macBytes);
  }
}
