import {
  Pool,
  types,
  type ClientConfig,
  type CustomTypesConfig,
  type PoolClient,
  type QueryResultRow,
} from 'pg';
import { isCommitted, isCommitUnknown, nameTransaction, type WrittenTransaction } from './commit-outcome.ts';
import {
  isRefusal,
  isSessionUnusable,
  OutcomeUnknown,
  asConnectionLoss,
  asUnreachable,
} from './connection-loss.ts';
import { CopyBytes } from './copy-bytes.ts';
import { CopyIn, type BatchStep } from './copy-in.ts';
import { PersistentConnection } from './persistent-connection.ts';
import { PipelinedConnection } from './pipelined-connection.ts';
import { TimedClient } from './timed-client.ts';

/** A hot statement: prepared once per connection under its name, sent over a pipelined connection. */
export interface Statement {
  name: string;
  text: string;
  /**
   * Runs with synchronous_commit off. A crash can lose it, but never while a later durable commit survives, since the WAL
   * is one sequence. For counters that only matter together with such a commit.
   */
  relaxed?: true;
}

export type ConnectionSettings = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'
>;

/** The database or an open transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(sql: string | Statement, values?: unknown[]): Promise<Row[]>;
}

/** An open transaction. */
export interface Transaction extends Queryable {
  /** Bulk inserts, as part of the transaction. */
  write(steps: BatchStep[]): Promise<void>;
}

export interface DatabaseOptions {
  connection: ConnectionSettings;
  pool_size: number;
  pipelines: number;
  /** Called for errors on idle connections. */
  on_error: (error: Error) => void;
}

interface PoolLoad {
  total: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  limit: number;
}

// Ids are bigint and stay far below 2^53, so JavaScript numbers hold them exactly, also in arrays.
const int8: number = types.builtins.INT8;
const int8Array: number = 1016;
const parseStrings = types.getTypeParser(int8Array) as (text: string) => (string | null)[];
const parsers = new Map<number, (text: string) => unknown>([
  [int8, Number],
  [int8Array, (text) => parseStrings(text).map((item) => (item === null ? null : Number(item)))],
]);
export const typeParsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** Two for small batches, one for large content. */
const batchConnections = 3;
const relax = 'set synchronous_commit = off';

/** The server cancels a statement after `ms`; the connection is closed a little later if it does not. */
const limit = (ms: number) => ({ statement_timeout: ms, answer_timeout_ms: ms + 5_000 });
/** A client of the pool. */
type Lent = PoolClient & TimedClient;

/**
 * Plain SQL over two kinds of connections: a small pool for transactions and unnamed statements (planned with their values,
 * which lists and searches need), and a few pipelined ones for named statements (a point select takes 59 µs of CPU instead
 * of 118 on the pool, since many share a round trip).
 */
export class Database implements Queryable {
  readonly #pool: Pool;
  readonly #clients = new Set<PoolClient>();
  readonly #pipelines: PipelinedConnection[];
  readonly #relaxed: PipelinedConnection;
  readonly #batches: PersistentConnection[];
  /** Buffers of finished batches, for reuse. */
  readonly #spare: CopyBytes[] = [];
  readonly #ending = new AbortController();
  #isDestroyed = false;
  #next = 0;
  /** Statements sent so far. */
  round_trips = 0;

  constructor(options: DatabaseOptions) {
    const config = {
      ...options.connection,
      types: typeParsers,
      application_name: 'chasqui',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      // Transactions never wait for anything but the database: an idle one belongs to a dead node.
      idle_in_transaction_session_timeout: 60_000,
    };
    const timed = { ...config, ...limit(30_000), Client: TimedClient as unknown as new () => TimedClient };
    this.#pool = new Pool({ ...timed, max: options.pool_size });
    this.#pool.on('error', options.on_error);
    this.#pool.on('connect', (client) => {
      this.#clients.add(client);
      // Without a listener an error would end the process; the next query on the client fails anyway.
      client.on('error', () => undefined);
      if (this.#isDestroyed) client.connection.stream.destroy();
    });
    this.#pool.on('remove', (client) => this.#clients.delete(client));
    this.#pipelines = Array.from(
      { length: options.pipelines },
      () => new PipelinedConnection({ ...config, ...limit(10_000) }, options.on_error),
    );
    this.#relaxed = new PipelinedConnection({ ...config, ...limit(10_000) }, options.on_error, relax);
    this.#batches = Array.from(
      { length: batchConnections },
      () => new PersistentConnection({ ...config, ...limit(20_000) }, options.on_error),
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
    return await this.#onClient(async (client) => (await client.ask<Row>(config)).rows);
  }

  /**
   * Runs `work` in one transaction; it is rolled back when `work` throws. Never await the network inside. When the answer to the
   * commit is lost, the transaction is looked up: what is thrown then says that nothing was stored, unless the database stays away.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const ending: { written?: WrittenTransaction | undefined; result?: T } = {};
    try {
      return await this.#runTransaction(work, ending);
    } catch (error) {
      const { written } = ending;
      if (!written || !isCommitUnknown(error)) throw error;
      const ask: Parameters<typeof isCommitted>[0] = async (config) =>
        await this.#onClient(async (client) => await client.ask(config));
      if (!(await isCommitted(ask, written, this.#ending.signal))) throw error;
      return ending.result as T;
    }
  }

  async #runTransaction<T>(
    work: (tx: Transaction) => Promise<T>,
    ending: { written?: WrittenTransaction | undefined; result?: T },
  ): Promise<T> {
    return await this.#onClient(async (client) => {
      let open = true;
      const requireOpen = (): void => {
        if (!open) throw new Error('This transaction is over.');
        this.round_trips += 1;
      };
      const tx: Transaction = {
        query: async <Row extends QueryResultRow>(sql: string | Statement, values: unknown[] = []) => {
          requireOpen();
          const config = typeof sql === 'string' ? { text: sql, values } : { ...sql, values };
          return (await client.ask<Row>(config)).rows;
        },
        write: async (steps) => {
          requireOpen();
          await client.copy(new CopyIn(steps, new CopyBytes()));
        },
      };
      await client.ask({ text: 'begin' });
      const result = await work(tx).finally(() => {
        open = false;
      });
      ending.result = result;
      ending.written = await nameTransaction(async (config) => await client.ask(config));
      const { command } = await client.ask({ text: 'commit' });
      // The server's answer to the commit of a transaction in which a statement failed.
      if (command !== 'COMMIT') throw new Error('A failed statement was ignored: nothing was committed.');
      return result;
    });
  }

  /**
   * Runs all steps in one transaction and one round trip. Batches on one connection are serialized. Throws `OutcomeUnknown`
   * when the transaction may be committed.
   */
  async batch(index: number, steps: BatchStep[]): Promise<void> {
    const connection = this.#batches[index % batchConnections] as PersistentConnection;
    this.round_trips += 1;
    const memory = this.#spare.pop() ?? new CopyBytes();
    const copy = new CopyIn(steps, memory);
    await connection.use(async (client) => {
      await client.copy(copy).catch((error: unknown) => {
        throw isRefusal(error) ? error : new OutcomeUnknown('The answer to a commit was lost.', error);
      });
    });
    // Not after a failure: parts of it may still be in the socket's queue.
    this.#spare.push(memory);
  }

  /** Runs `work` on a client of the pool; after an error the client is rolled back, or closed. */
  async #onClient<T>(work: (client: Lent) => Promise<T>): Promise<T> {
    const client = (await this.#pool.connect().catch((error: unknown) => {
      throw asUnreachable(error);
    })) as Lent;
    let lost: Error | undefined;
    const onLost = (error: Error): void => {
      lost = error;
    };
    // Without a listener, losing the connection now would end the process.
    client.on('error', onLost);
    try {
      return await work(client);
    } catch (error) {
      const converted = asConnectionLoss(error);
      if (isSessionUnusable(converted)) lost = converted;
      else if (client.getTransactionStatus() !== 'I') await client.ask({ text: 'rollback' }).catch(onLost);
      throw converted;
    } finally {
      client.removeListener('error', onLost);
      client.release(lost);
    }
  }

  get pool(): PoolLoad {
    const { totalCount, idleCount, waitingCount, options } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount, limit: options.max };
  }

  /** Waits for running statements; after `within_ms` their connections are destroyed. */
  async end(within_ms = 10_000): Promise<void> {
    this.#ending.abort();
    const destroy = setTimeout(() => this.#destroy(), within_ms);
    await Promise.all([
      this.#pool.end(),
      ...this.#connections().map(async (connection) => await connection.end()),
    ]);
    clearTimeout(destroy);
  }

  /** Connections that are still being opened are destroyed once they are. */
  #destroy(): void {
    this.#isDestroyed = true;
    for (const client of this.#clients) client.connection.stream.destroy();
    for (const connection of this.#connections()) void connection.destroy();
  }

  #connections(): PersistentConnection[] {
    return [...this.#pipelines, ...this.#batches, this.#relaxed];
  }
}
