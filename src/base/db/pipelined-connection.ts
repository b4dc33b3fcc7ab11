import { Client, type ClientConfig, type QueryConfig, type QueryResultRow } from 'pg';
import { ConnectionLost, tellLoss } from './connection-loss.ts';

/** What was prepared is there no more, or a migration changed what it gives: only a new connection helps. */
const out_of_step = new Set(['26000', '0A000']);

/**
 * One connection on which statements are sent without waiting for the answers before them. It connects on first use
 * and again after a loss; the statements under way at the loss fail, since whether they ran is unknown.
 */
export class PipelinedConnection {
  readonly #config: ClientConfig;
  readonly #onError: (error: Error) => void;
  readonly #setup: string | undefined;
  #client: Promise<Client> | undefined;
  #ended = false;
  readonly #gathering = new WeakSet<Client>();

  /** `setup` is run once on each new connection. */
  constructor(config: ClientConfig, onError: (error: Error) => void, setup?: string) {
    this.#config = { ...config, pipeline: true };
    this.#onError = onError;
    this.#setup = setup;
  }

  async query<Row extends QueryResultRow>(config: QueryConfig & { values: unknown[] }): Promise<Row[]> {
    if (this.#ended) throw new ConnectionLost('The database was closed.');
    const opening = (this.#client ??= this.#connect());
    try {
      const client = await opening;
      this.#gather(client);
      return (await client.query<Row>({ ...config, values: config.values.map(writable) })).rows;
    } catch (error) {
      if (out_of_step.has((error as { code?: string }).code ?? '')) this.#replace(opening);
      throw tellLoss(error);
    }
  }

  /**
   * What is asked in one turn of the loop leaves in one write: the driver would make one for every statement, which was
   * a tenth of what a mail costs from end to end, and would wake the server for each.
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

  #connect(): Promise<Client> {
    const client = new Client(this.#config);
    const opening = client.connect().then(async () => {
      if (this.#setup !== undefined) await client.query(this.#setup);
      return client;
    });
    const forget = (): boolean => {
      const current = this.#client === opening;
      if (current) this.#client = undefined;
      return current;
    };
    client.on('error', (error) => {
      // Told once: the driver repeats the loss when the socket closes.
      if (forget()) this.#onError(error);
    });
    client.on('end', forget);
    opening.catch(forget);
    return opening;
  }

  /** Statements under way on the old connection are answered there; those to come use a new one. */
  #replace(old: Promise<Client>): void {
    if (this.#client !== old) return;
    this.#client = undefined;
    void old.then(async (client) => await client.end());
  }

  /** Waits for the statements under way. */
  async end(): Promise<void> {
    this.#ended = true;
    // A connection that never came up has nothing to close.
    await this.#client?.then(async (client) => await client.end()).catch(() => undefined);
  }

  /** Closes the connection under the statements, which fail. */
  async cut(): Promise<void> {
    this.#ended = true;
    await this.#client?.then((client) => client.connection.stream.destroy()).catch(() => undefined);
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
