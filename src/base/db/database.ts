import {
  Pool,
  types,
  type Client,
  type ClientConfig,
  type CustomTypesConfig,
  type PoolClient,
  type QueryResultRow,
} from 'pg';
import { isRefusal, isSessionSpent, OutcomeUnknown, tellLoss } from './connection-loss.ts';
import { CopyBytes } from './copy-bytes.ts';
import { CopyIn, type BatchStep } from './copy-in.ts';
import { KeptConnection } from './kept-connection.ts';
import { PipelinedConnection } from './pipelined-connection.ts';

/** A fixed, hot statement: prepared once per connection under its name and sent over a pipelined connection. */
export interface Statement {
  name: string;
  text: string;
  /**
   * Its commit does not wait for the disk. A crash can undo it, but never while a later, durable commit survives:
   * the log is one sequence. For counters that only matter together with such a commit.
   */
  relaxed?: true;
}

export type ConnectionSettings = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'
>;

/** What a room needs to run SQL: the database itself or an open transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(sql: string | Statement, values?: unknown[]): Promise<Row[]>;
}

export interface DatabaseOptions {
  connection: ConnectionSettings;
  pool_size: number;
  pipelines: number;
  /** Called for trouble on idle connections, which has no caller to throw to. */
  on_error: (error: Error) => void;
}

// Ids are bigint and stay far below 2^53, so JavaScript numbers hold them exactly, alone and in arrays.
const int8: number = types.builtins.INT8;
const int8_array: number = 1016;
const parseStrings = types.getTypeParser(int8_array) as (text: string) => (string | null)[];
const parsers = new Map<number, (text: string) => unknown>([
  [int8, Number],
  [int8_array, (text) => parseStrings(text).map((item) => (item === null ? null : Number(item)))],
]);
const typeParsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** Two for small batches, one for large content. */
const batch_lanes = 3;
const relax = 'set synchronous_commit = off';

/** The server ends a statement after `ms`; a server that does not even do that is given up a little later. */
const limit = (ms: number) => ({ statement_timeout: ms, query_timeout: ms + 5_000 });

/**
 * Plain SQL over two kinds of connections: a small pool for transactions and unnamed statements (planned with their
 * values at hand, which lists and searches need), and a few pipelined ones for named statements (59 µs of CPU
 * against 118 on a pool for a point select, because many share one round trip).
 */
export class Database implements Queryable {
  readonly #pool: Pool;
  readonly #clients = new Set<PoolClient>();
  readonly #pipelines: PipelinedConnection[];
  readonly #relaxed: PipelinedConnection;
  readonly #batches: KeptConnection[];
  /** Memory of batches that are over. */
  readonly #spare: CopyBytes[] = [];
  #next = 0;
  /** Statements sent so far; tests hold routes to their number of round trips with it. */
  round_trips = 0;

  constructor(options: DatabaseOptions) {
    const config = {
      ...options.connection,
      types: typeParsers,
      application_name: 'chasqui',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      // Transactions never wait for anything but the database: one that idles this long lost its node.
      idle_in_transaction_session_timeout: 60_000,
    };
    this.#pool = new Pool({ ...config, ...limit(30_000), max: options.pool_size });
    this.#pool.on('error', options.on_error);
    this.#pool.on('connect', (client) => {
      this.#clients.add(client);
      // Lost between being lent and being used, it has nobody else to tell; whoever uses it finds out.
      client.on('error', () => undefined);
    });
    this.#pool.on('remove', (client) => this.#clients.delete(client));
    this.#pipelines = Array.from(
      { length: options.pipelines },
      () => new PipelinedConnection({ ...config, ...limit(10_000) }, options.on_error),
    );
    this.#relaxed = new PipelinedConnection({ ...config, ...limit(10_000) }, options.on_error, relax);
    this.#batches = Array.from(
      { length: batch_lanes },
      () => new KeptConnection({ ...config, ...limit(20_000) }, options.on_error),
    );
  }

  async query<Row extends QueryResultRow>(sql: string | Statement, values: unknown[] = []): Promise<Row[]> {
    this.round_trips += 1;
    if (typeof sql !== 'string') {
      if (sql.relaxed) return await this.#relaxed.query<Row>({ ...sql, values });
      const connection = this.#pipelines[this.#next++ % this.#pipelines.length];
      if (connection) return await connection.query<Row>({ ...sql, values });
    }
    const config = typeof sql === 'string' ? { text: sql, values } : { ...sql, values };
    return await this.#onClient(async (client) => (await client.query<Row>(config)).rows);
  }

  /** Runs `work` in one transaction; it is rolled back when `work` throws. Never await the network inside. */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return await this.#onClient(async (client) => {
      let open = true;
      const tx: Queryable = {
        query: async <Row extends QueryResultRow>(sql: string | Statement, values: unknown[] = []) => {
          if (!open) throw new Error('This transaction is over.');
          this.round_trips += 1;
          const config = typeof sql === 'string' ? { text: sql, values } : { ...sql, values };
          return (await client.query<Row>(config)).rows;
        },
      };
      await client.query('begin');
      const result = await work(tx).finally(() => {
        open = false;
      });
      const { command } = await client.query('commit');
      // The server's answer to the commit of a transaction in which a statement failed.
      if (command !== 'COMMIT') throw new Error('A failed statement was ignored: nothing was committed.');
      return result;
    });
  }

  /**
   * Runs all steps in one transaction and one round trip. `lane` names the connection; batches of one lane take turns.
   * Throws `OutcomeUnknown` when the transaction may stand.
   */
  async batch(lane: number, steps: BatchStep[]): Promise<void> {
    const connection = this.#batches[lane % batch_lanes] as KeptConnection;
    this.round_trips += 1;
    const memory = this.#spare.pop() ?? new CopyBytes();
    const copy = new CopyIn(steps, memory);
    await connection.use(async (client) => {
      await client.query(copy).done.catch((error: unknown) => {
        throw isRefusal(error) ? error : new OutcomeUnknown('The answer to a commit was lost.', error);
      });
    });
    // After a failure a part of it may still have to be sent, so that it is not used again.
    this.#spare.push(memory);
  }

  /** Lends a connection of the pool to `work`; an error leaves it ready for the next one, or closed. */
  async #onClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw tellLoss(error);
    });
    let lost: Error | undefined;
    const onLost = (error: Error): void => {
      lost = error;
    };
    // Without a listener, losing the connection now would end the process.
    client.on('error', onLost);
    try {
      return await work(client);
    } catch (error) {
      const told = tellLoss(error);
      if (isSessionSpent(told)) lost = told;
      else if (client.getTransactionStatus() !== 'I') await client.query('rollback').catch(onLost);
      throw told;
    } finally {
      client.removeListener('error', onLost);
      client.release(lost);
    }
  }

  /** Waits for statements under way; those that take longer than `within_ms` lose their connection. */
  async end(within_ms = 10_000): Promise<void> {
    const cut = setTimeout(() => this.#cut(), within_ms);
    await Promise.all([this.#pool.end(), ...this.#kept().map(async (connection) => await connection.end())]);
    clearTimeout(cut);
  }

  #cut(): void {
    for (const client of this.#clients) (client as unknown as Client).connection.stream.destroy();
    for (const connection of this.#kept()) void connection.cut();
  }

  #kept(): (PipelinedConnection | KeptConnection)[] {
    return [...this.#pipelines, ...this.#batches, this.#relaxed];
  }
}
