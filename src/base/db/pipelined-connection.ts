import type { Client, ClientConfig, QueryConfig, QueryResultRow } from 'pg';
import { KeptConnection } from './kept-connection.ts';

/** One connection on which statements are sent without waiting for the answers before them. */
export class PipelinedConnection {
  readonly #connection: KeptConnection;
  readonly #gathering = new WeakSet<Client>();

  /** `setup` is run once on each new connection. */
  constructor(config: ClientConfig, onError: (error: Error) => void, setup?: string) {
    this.#connection = new KeptConnection({ ...config, pipeline: true }, onError, setup);
  }

  async query<Row extends QueryResultRow>(config: QueryConfig & { values: unknown[] }): Promise<Row[]> {
    return await this.#connection.use(async (client) => {
      this.#gather(client);
      return (await client.query<Row>({ ...config, values: config.values.map(writable) })).rows;
    });
  }

  /**
   * What is asked in one turn of the loop leaves in one write: the driver would make one for every statement, and wake
   * the server for each.
   */
  #gather(client: Client): void {
    if (this.#gathering.has(client)) return;
    this.#gathering.add(client);
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#gathering.delete(client);
      stream.uncork();
    });
  }

  /** Waits for the statements under way. */
  async end(): Promise<void> {
    await this.#connection.end();
  }

  /** Closes the connection under the statements, which fail. */
  async cut(): Promise<void> {
    await this.#connection.cut();
  }
}

/**
 * Objects as JSON, as the driver would write them. It would do so in the middle of sending, and when that throws it
 * closes the prepared statement under the neighbours that use it; here nothing has been sent yet.
 */
function writable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value)) {
    return value;
  }
  if (!Array.isArray(value)) return JSON.stringify(value);
  return typeof value[0] === 'object' ? value.map(writable) : value;
}
