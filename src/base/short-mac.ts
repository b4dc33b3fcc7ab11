import { hash } from 'node:crypto';

const block_bytes = 64;
const digest_bytes = 32;

/**
 * HMAC-SHA256 (RFC 2104) of short messages. Put together from two hashes at one stroke each it takes 1.2 µs, where
 * making an Hmac takes 3: a message has a token for each of its links and recipients.
 */
export class ShortMac {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  /** `longest` is the most that a message may have, in bytes. */
  constructor(key: Buffer, longest: number) {
    if (key.length > block_bytes) throw new RangeError('a key of more than one block');
    this.#inner = Buffer.alloc(block_bytes + longest);
    this.#outer = Buffer.alloc(block_bytes + digest_bytes);
    for (let at = 0; at < block_bytes; at += 1) {
      this.#inner[at] = (key[at] ?? 0) ^ 0x36;
      this.#outer[at] = (key[at] ?? 0) ^ 0x5c;
    }
  }

  /** Of the parts one after the other. */
  hex(...parts: Buffer[]): string {
    this.#hashInner(parts);
    return hash('sha256', this.#outer, 'hex');
  }

  /** The same with one character for each byte, which takes less to make and to write into a buffer. */
  latin1(...parts: Buffer[]): string {
    this.#hashInner(parts);
    return hash('sha256', this.#outer, 'binary');
  }

  #hashInner(parts: Buffer[]): void {
    let end = block_bytes;
    for (const part of parts) {
      this.#inner.set(part, end);
      end += part.length;
    }
    this.#outer.write(hash('sha256', this.#inner.subarray(0, end), 'binary'), block_bytes, 'latin1');
  }
}
