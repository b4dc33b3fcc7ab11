import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

const randomBytes = 16;

/** UUIDv7s of an instant. Within one millisecond they count up, so that what comes first also sorts first. */
export class IdSequence {
  /** Random bytes for many ids at a time: fetched one by one they took 2 % of accepting a mail. */
  readonly #pool = new Uint8Array(256 * randomBytes);
  #used = this.#pool.length;
  #last = 0;
  #seq = 0;

  next(instant: Date): string {
    const msecs = instant.getTime();
    this.#seq = msecs === this.#last ? this.#seq + 1 : randomInt(2 ** 30);
    this.#last = msecs;
    return v7({ msecs, seq: this.#seq, random: this.#random() });
  }

  #random(): Uint8Array {
    if (this.#used === this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    this.#used += randomBytes;
    return this.#pool.subarray(this.#used - randomBytes, this.#used);
  }
}

/** An identifier for what is created rarely; frequent rows take theirs from a sequence. */
export function newId(instant: Date): string {
  return v7({ msecs: instant.getTime() });
}
