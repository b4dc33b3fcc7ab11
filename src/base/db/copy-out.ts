import { escapeIdentifier, escapeLiteral, type Connection, type Submittable } from 'pg';
import { arrayLiteral } from './columns.ts';

/** A chunk of this size keeps the database and this process busy at the same time, and is soon sent. */
const chunkBytes = 64 * 1024;
/** Signature, flags and the length of an empty extension. */
const headerBytes = 19;
/** Number of columns and length of the only one. */
const rowBytes = 6;

interface CopyEnd {
  reject: (error: Error) => void;
  resolve: () => void;
}

interface CopyFormat {
  /** The bytes of the row in a message; undefined at the end of the data. */
  unpack: (message: Buffer, is_first: boolean) => Buffer | undefined;
  between: Buffer;
}

/**
 * The rows of a query with one text column, as bytes with a separator. With binary COPY no row becomes a JavaScript string:
 * reading rows one by one took more processor time than the query, and 100 MB of heap.
 */
export function copyLines(sql: string, between: string): CopyOut {
  return new CopyOut(`copy (${sql}) to stdout (format binary)`, {
    between: Buffer.from(between),
    unpack(message, is_first) {
      const at = is_first ? headerBytes : 0;
      if (message.readInt16BE(at) === -1) return undefined;
      const length = message.readInt32BE(at + 2);
      return message.subarray(at + rowBytes, at + rowBytes + length);
    },
  });
}

/** All rows of a table in the text format of COPY; chunks end where rows end. */
export function copyTable(table: string, columns: readonly string[]): CopyOut {
  const list = columns.map(escapeIdentifier).join(', ');
  return new CopyOut(`copy ${escapeIdentifier(table)} (${list}) to stdout`, {
    between: Buffer.alloc(0),
    unpack: (message) => message,
  });
}

export class CopyOut implements Submittable {
  readonly done: Promise<void>;
  /** Rows that the server counted, once it is over. */
  rows = 0;
  readonly #sql: string;
  readonly #format: CopyFormat;
  readonly #end: CopyEnd;
  /** Called when a chunk is ready, or at the end. */
  #waiting: (() => void) | undefined;
  #connection: Connection | undefined;
  #chunk = Buffer.allocUnsafe(chunkBytes);
  #used = 0;
  #ready: Buffer[] = [];
  #is_first = true;
  #is_over = false;
  #error: Error | undefined;

  constructor(sql: string, format: CopyFormat) {
    this.#sql = sql;
    this.#format = format;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#end = { resolve, reject };
    // read() throws the error too; without a reader this would be an unhandled rejection.
    promise.catch(() => undefined);
  }

  /** Whether the database has finished. */
  get is_over(): boolean {
    return this.#is_over;
  }

  /** The next bytes, undefined at the end. */
  async read(): Promise<Buffer | undefined> {
    while (this.#ready.length === 0 && !this.#is_over) {
      this.#connection?.stream.resume();
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    if (this.#error) throw this.#error;
    return this.#ready.shift();
  }

  /** Discards the rest, so that the end of a cancelled query is read. */
  drain(): void {
    this.#ready = [];
    this.#is_over = true;
    this.#connection?.stream.resume();
    this.#wake();
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#sql);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#is_over) return;
    const row = this.#format.unpack(chunk, this.#is_first);
    if (row === undefined) return;
    if (!this.#is_first) this.#append(this.#format.between);
    this.#is_first = false;
    this.#append(row);
    if (this.#ready.length > 1) this.#connection?.stream.pause();
  }

  #append(bytes: Buffer): void {
    if (this.#used + bytes.length > this.#chunk.length) this.#flush(bytes.length);
    // The driver reuses its buffer, hence the copy.
    bytes.copy(this.#chunk, this.#used);
    this.#used += bytes.length;
  }

  #flush(nextBytes = 0): void {
    if (this.#used > 0) this.#ready.push(this.#chunk.subarray(0, this.#used));
    this.#chunk = Buffer.allocUnsafe(Math.max(chunkBytes, nextBytes));
    this.#used = 0;
    this.#wake();
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }

  handleError(error: Error): void {
    this.#error = error;
    this.#is_over = true;
    this.#wake();
    this.#end.reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.#is_over) this.#flush();
    this.#is_over = true;
    this.#wake();
    this.#end.resolve();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  /** Called by the driver; nothing to do. */
  handleCopyOutResponse(): void {}
}

/** Of the command tag `COPY n`. */
export function rowsOf(tag: string): number {
  return Number(/^COPY (\d+)/.exec(tag)?.[1] ?? 0);
}

/** COPY takes no parameters: values are inlined as quoted literals. */
export function withLiterals(sql: string, values: readonly unknown[]): string {
  return sql.replaceAll(/\$(\d+)/g, (_match, number: string) => literalOf(values[Number(number) - 1]));
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return escapeLiteral(timestampText(value));
  if (Array.isArray(value)) return escapeLiteral(arrayLiteral(value as (string | number | boolean | null)[]));
  if (typeof value === 'string') return escapeLiteral(value);
  if (typeof value === 'number' || typeof value === 'boolean') return `'${value}'`;
  throw new TypeError('This kind of value has no literal here.');
}

/** JavaScript and PostgreSQL format years beyond 9999 and before 1 differently. */
function timestampText(timestamp: Date): string {
  const text = timestamp.toISOString();
  const year = timestamp.getUTCFullYear();
  if (year > 0 && year <= 9999) return text;
  const rest = text.slice(text.indexOf('-', 1));
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`;
}
