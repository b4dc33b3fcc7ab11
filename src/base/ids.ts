import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';

/** UUIDv7s of a moment. Within one millisecond they count up, so that what comes first also sorts first. */
export class IdSequence {
  #last = 0;
  #seq = 0;

  next(moment: Date): string {
    const msecs = moment.getTime();
    this.#seq = msecs === this.#last ? this.#seq + 1 : randomInt(2 ** 30);
    this.#last = msecs;
    return v7({ msecs, seq: this.#seq });
  }
}
