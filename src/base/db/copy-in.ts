import type { Connection, Submittable } from 'pg';
import type { CopyBytes } from './copy-bytes.ts';
import { rowsOf } from './copy-out.ts';

/** One statement of a batch; a COPY also writes its rows. */
export interface BatchStep {
  sql: string;
  write?: (to: CopyBytes) => void;
}

/** One writer per column. */
export type Columns<Row> = Record<string, (to: CopyBytes, row: Row) => void>;

/**
 * Bulk insert by binary COPY. Arrays for `unnest` took the server 25 % more time and this process twice as much, since text
 * has to be escaped and parsed.
 */
export function copyInto<Row>(table: string, columns: Columns<Row>): (rows: Iterable<Row>) => BatchStep {
  const sql = `copy ${table} (${Object.keys(columns).join(', ')}) from stdin (format binary)`;
  const writers = Object.values(columns);
  const writeRow = (to: CopyBytes, row: Row): void => {
    to.row(writers.length);
    for (const write of writers) write(to, row);
  };
  return (rows) => ({
    sql,
    write: (to) =>
      to.rows(() => {
        for (const row of rows) writeRow(to, row);
      }),
  });
}

/**
 * All steps as one transaction in one round trip. The statements of a simple query are one transaction; after a failure the
 * server skips the rest and ignores the remaining rows (PostgreSQL, protocol: "COPY Operations").
 */
export class CopyIn implements Submittable {
  readonly done: Promise<void>;
  readonly #end: (error?: Error) => void;
  /** Rows that the server counted, of all steps. */
  rows = 0;
  readonly #sql: string;
  readonly #data: Buffer[];
  #hasFailed = false;

  /** `memory` holds the rows until the batch is over. */
  constructor(steps: BatchStep[], memory: CopyBytes) {
    this.#sql = steps.map(({ sql }) => sql).join(';');
    for (const { write } of steps) write?.(memory);
    this.#data = memory.take();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#end = (error) => (error ? reject(error) : resolve());
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    stream.cork();
    connection.query(this.#sql);
    for (const piece of this.#data) stream.write(piece);
    stream.uncork();
  }

  handleError(error: Error): void {
    this.#hasFailed = true;
    this.#end(error);
  }

  handleReadyForQuery(): void {
    if (!this.#hasFailed) this.#end();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows += rowsOf(text);
  }

  /** Called by the driver; nothing to do. */
  handleCopyInResponse(): void {}
}
