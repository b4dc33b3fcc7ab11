/**
 * Byte strings of many rows as one parameter. The driver would write an array of them as escaped hexadecimal text,
 * twice the size and most of the cost of a write; one buffer is sent as it is and cut up again by the server.
 */
export class ByteColumns {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  /** Positions and lengths of one column, null where the row has none. */
  add(values: (Buffer | null)[]): { starts: (number | null)[]; lengths: (number | null)[] } {
    const starts: (number | null)[] = [];
    for (const value of values) {
      // SQL counts from 1.
      starts.push(value === null ? null : this.#length + 1);
      if (value === null) continue;
      this.#chunks.push(value);
      this.#length += value.length;
    }
    return { starts, lengths: values.map((value) => value && value.length) };
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#chunks, this.#length);
  }
}

/** One array per property, as `unnest` takes rows. */
export function columnsOf<Row, Key extends keyof Row>(rows: Row[], keys: readonly Key[]): Row[Key][][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
