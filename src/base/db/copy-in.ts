import type { Connection, Submittable } from 'pg';
import { CopyBytes } from './copy-bytes.ts';

/** One statement of a batch, with the rows that it reads when it is a COPY. */
export interface BatchStep {
  sql: string;
  data: Buffer[];
}

/** By the name of each column, what writes its value in a row. */
export type Columns<Row> = Record<string, (to: CopyBytes, row: Row) => void>;

/**
 * What writes many rows into a table. As arrays for `unnest` the same rows took the server 25 % more and this process
 * twice as much: text has to be escaped, parsed and put together again, where COPY takes values as they are kept.
 */
export function copyInto<Row>(table: string, columns: Columns<Row>): (rows: Iterable<Row>) => BatchStep {
  const sql = `copy ${table} (${Object.keys(columns).join(', ')}) from stdin (format binary)`;
  const writers = Object.values(columns);
  return (rows) => {
    const bytes = new CopyBytes();
    for (const row of rows) {
      bytes.row(writers.length);
      for (const write of writers) write(bytes, row);
    }
    return { sql, data: bytes.finish() };
  };
}

/**
 * All steps in one transaction that is sent whole, without waiting for an answer in between. Statements of one simple
 * query are one transaction; after a failure the server leaves out the rest of them and ignores the rows that still
 * come (PostgreSQL, "COPY Operations" of the protocol).
 */
export class CopyIn implements Submittable {
  readonly done: Promise<void>;
  /** The driver puts its time limit around this. */
  callback: (error?: Error) => void;
  readonly #steps: BatchStep[];
  #hasFailed = false;

  constructor(steps: BatchStep[]) {
    this.#steps = steps;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.callback = (error) => (error ? reject(error) : resolve());
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    stream.cork();
    connection.query(this.#steps.map(({ sql }) => sql).join(';'));
    for (const { data } of this.#steps) for (const chunk of data) stream.write(chunk);
    stream.uncork();
  }

  handleError(error: Error): void {
    this.#hasFailed = true;
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (!this.#hasFailed) this.callback();
  }

  /** The driver tells of these as well; there is nothing to do about them. */
  handleCommandComplete(): void {}
  handleCopyInResponse(): void {}
}
