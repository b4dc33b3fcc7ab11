import { Pool, type PoolClient } from 'pg';
import type { ConnectionSettings } from './database.ts';
import { ConnectionLost, isSessionUnusable, asConnectionLoss } from './connection-loss.ts';
import { copyLines, withLiterals, type CopyOut } from './copy-out.ts';

/** A query whose only column is a line of text. */
export interface LineQuery {
  sql: string;
  values: unknown[];
  /** Time zone in which the database formats timestamps. */
  timezone: string;
  /** Separator. */
  between: string;
}

interface LineStreamsOptions {
  connection: ConnectionSettings;
  /** Open streams; further ones are refused. */
  max_open: number;
  on_error: (error: Error) => void;
}

/** A large result may have to be sorted before the first row. */
const firstWithinMs = 120_000;
/** A reader that is idle for this long is closed: its snapshot holds back vacuum. */
const idleTimeoutMs = 120_000;

/**
 * Streams results of any size as lines, each in its own snapshot and with backpressure. Uses its own connections, so that
 * slow readers do not block other queries.
 */
export class LineStreams {
  readonly #pool: Pool;
  readonly #most: number;
  #open = 0;

  constructor({ connection, max_open, on_error }: LineStreamsOptions) {
    this.#most = max_open;
    this.#pool = new Pool({
      ...connection,
      application_name: 'chasqui export',
      max: max_open + 1,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 10_000,
      idle_in_transaction_session_timeout: idleTimeoutMs,
    });
    this.#pool.on('error', on_error);
    // Without a listener an error would end the process; the next query on the client fails anyway.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Undefined when too many are open. Resolves once the first lines are available. */
  async open(query: LineQuery): Promise<LineStream | undefined> {
    if (this.#open >= this.#most) return undefined;
    this.#open += 1;
    const release = (): void => {
      this.#open -= 1;
    };
    const client = await this.#pool.connect().catch((error: unknown) => {
      release();
      throw asConnectionLoss(error);
    });
    const stream = new LineStream(client, {
      release,
      cancel: async (pid) => void (await this.#pool.query('select pg_cancel_backend($1)', [pid])),
    });
    await stream.begin(query);
    return stream;
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

interface Lender {
  release: () => void;
  cancel: (pid: number) => Promise<void>;
}

export class LineStream {
  readonly #client: PoolClient;
  readonly #lender: Lender;
  #pid = 0;
  #copy: CopyOut | undefined;
  #first: Buffer | undefined;
  #timeout: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  /** Why the session must not be used again. */
  #lost: Error | undefined;

  constructor(client: PoolClient, lender: Lender) {
    this.#client = client;
    this.#lender = lender;
  }

  /** Repeatable read: all lines are of one snapshot. */
  async begin({ sql, values, timezone, between }: LineQuery): Promise<void> {
    try {
      await this.#setTimezone(timezone);
      await this.#client.query('begin isolation level repeatable read read only');
      const { rows } = await this.#client.query<{ pid: number }>('select pg_backend_pid() as pid');
      this.#pid = rows[0]?.pid ?? 0;
      this.#copy = this.#client.query(copyLines(withLiterals(sql, values), between));
      this.#watch(firstWithinMs);
      this.#first = await this.#copy.read();
      this.#watch(idleTimeoutMs);
    } catch (error) {
      const converted = this.#note(error);
      await this.close();
      throw converted;
    }
  }

  /** The database may have an older list of time zones; then it uses UTC. */
  async #setTimezone(name: string): Promise<void> {
    const set = "select set_config('TimeZone', $1, false)";
    await this.#client.query(set, [name]).catch(async (error: { code?: string }) => {
      if (error.code !== '22023') throw error as Error;
      await this.#client.query(set, ['UTC']);
    });
  }

  /** The next lines with their separators, undefined at the end. */
  async read(): Promise<Buffer | undefined> {
    this.#watch(idleTimeoutMs);
    const lines =
      this.#first ?? (await this.#copy?.read().catch((error: unknown) => Promise.reject(this.#note(error))));
    this.#first = undefined;
    if (this.#closing) throw new ConnectionLost('The stream of lines was closed.');
    return lines;
  }

  #note(error: unknown): Error {
    const converted = asConnectionLoss(error);
    if (isSessionUnusable(converted)) this.#lost = converted;
    return converted;
  }

  #watch(ms: number): void {
    clearTimeout(this.#timeout);
    this.#timeout = setTimeout(() => void this.close(), ms);
  }

  /** Cancels the query if it runs, ends its snapshot, and releases the connection. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timeout);
    try {
      if (this.#copy && !this.#copy.is_over) await this.#lender.cancel(this.#pid);
      this.#copy?.drain();
      await this.#copy?.done.catch(() => undefined);
      await this.#client.query('rollback');
    } catch (error) {
      this.#lost = error as Error;
    }
    this.#client.release(this.#lost);
    this.#lender.release();
  }
}
