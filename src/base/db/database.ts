import { Pool, types, type ClientConfig, type CustomTypesConfig, type QueryResultRow } from 'pg';
import { PipelinedConnection } from './pipelined-connection.ts';

/** A fixed, hot statement: prepared once per connection under its name and sent over a pipelined connection. */
export interface Statement {
  name: string;
  text: string;
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

// Ids are bigint and stay far below 2^53, so JavaScript numbers hold them exactly.
const int8: number = types.builtins.INT8;
const parseBigint = (text: string): number => Number(text);
const typeParsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? parseBigint : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/**
 * Plain SQL over two kinds of connections: a small pool for transactions and unnamed statements (planned with their
 * values at hand, which lists and searches need), and a few pipelined ones for named statements (59 µs of CPU
 * against 118 on a pool for a point select, because many share one round trip).
 */
export class Database implements Queryable {
  readonly #pool: Pool;
  readonly #pipelines: PipelinedConnection[];
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
    };
    this.#pool = new Pool({ ...config, max: options.pool_size, statement_timeout: 30_000 });
    this.#pool.on('error', options.on_error);
    this.#pipelines = Array.from(
      { length: options.pipelines },
      () => new PipelinedConnection({ ...config, statement_timeout: 10_000 }, options.on_error),
    );
  }

  async query<Row extends QueryResultRow>(sql: string | Statement, values: unknown[] = []): Promise<Row[]> {
    this.round_trips += 1;
    if (typeof sql === 'string') return (await this.#pool.query<Row>(sql, values)).rows;
    const connection = this.#pipelines[this.#next++ % this.#pipelines.length];
    if (connection === undefined) return (await this.#pool.query<Row>({ ...sql, values })).rows;
    return await connection.query<Row>({ ...sql, values });
  }

  /** Runs `work` in one transaction; it is rolled back when `work` throws. Never await the network inside. */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const tx: Queryable = {
      query: async <Row extends QueryResultRow>(sql: string | Statement, values: unknown[] = []) => {
        this.round_trips += 1;
        const config = typeof sql === 'string' ? { text: sql, values } : { ...sql, values };
        return (await client.query<Row>(config)).rows;
      },
    };
    let failure: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(tx);
      await client.query('commit');
      return result;
    } catch (error) {
      // A connection that cannot even roll back is not given to anyone else.
      await client.query('rollback').catch((rollback: Error) => {
        failure = rollback;
      });
      throw error;
    } finally {
      client.release(failure);
    }
  }

  async end(): Promise<void> {
    await Promise.all([
      this.#pool.end(),
      ...this.#pipelines.map(async (connection) => await connection.end()),
    ]);
  }
}
