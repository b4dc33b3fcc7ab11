import { types } from 'pg';

/**
 * A moment as the database wrote it, with its text at hand: most moments are read only to be written into an answer. Reading
 * and writing one takes 0.8 µs instead of 2.9, and a page of mails has 80. It is not to be changed.
 */
class Timestamp extends Date {
  readonly #iso: string;

  constructor(iso: string) {
    super(iso);
    this.#iso = iso;
  }

  override toJSON(): string {
    return this.#iso;
  }
}

const parseAny = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => unknown;
/** `2026-11-16 18:30:34` and `.123456` at most, then `+00`. */
const seconds_end = 19;
const shortest = 22;
const longest = 29;

/** Years of four digits in UTC; everything else, infinity too, is left to the driver. */
export function parseTimestamp(text: string): unknown {
  const is_usual = text.endsWith('+00') && text[4] === '-';
  if (!is_usual || text.length < shortest || text.length > longest) return parseAny(text);
  const milliseconds = `${text.slice(seconds_end + 1, -3)}000`.slice(0, 3);
  return new Timestamp(`${text.slice(0, 10)}T${text.slice(11, seconds_end)}.${milliseconds}Z`);
}
