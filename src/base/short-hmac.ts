import { hash } from 'node:crypto';

const block_bytes = 64;
const digest_bytes = 32;

/**
 * HMAC-SHA-256 (RFC 2104) of short inputs, of which a mail has one per link. By two one-shot hashes it takes 1.6 µs, by
 * `createHmac` 3.4, and leaves no object to be collected.
 */
export class ShortHmac {
  /** Key and input of the inner hash. */
  readonly #inner: Buffer;
  /** Key and input of the outer one. */
  readonly #outer: Buffer;

  constructor(key: Buffer, max_bytes: number) {
    if (key.length > block_bytes) throw new RangeError('The key is longer than a block.');
    this.#inner = Buffer.alloc(block_bytes + max_bytes);
    this.#outer = Buffer.alloc(block_bytes + digest_bytes);
    for (let at = 0; at < block_bytes; at += 1) {
      const octet = key[at] ?? 0;
      this.#inner[at] = octet ^ 0x36;
      this.#outer[at] = octet ^ 0x5c;
    }
  }

  /** Of both parts together. A character of the result is an octet. */
  digest(first: Buffer, second?: Buffer): string {
    let end = this.#append(first, block_bytes);
    if (second) end = this.#append(second, end);
    this.#outer.write(hash('sha256', this.#inner.subarray(0, end), 'binary'), block_bytes, 'latin1');
    return hash('sha256', this.#outer, 'binary');
  }

  #append(part: Buffer, at: number): number {
    if (at + part.length > this.#inner.length) throw new RangeError('The input is longer than announced.');
    part.copy(this.#inner, at);
    return at + part.length;
  }
}
