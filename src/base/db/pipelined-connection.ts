import { Client, type ClientConfig, type QueryConfig, type QueryResultRow } from 'pg';

/**
 * One connection on which statements are sent without waiting for the answers before them. It connects on first use
 * and again after a loss; the statements under way at the loss fail, since whether they ran is unknown.
 */
export class PipelinedConnection {
  readonly #config: ClientConfig;
  readonly #onError: (error: Error) => void;
  #client: Promise<Client> | undefined;

  constructor(config: ClientConfig, onError: (error: Error) => void) {
    this.#config = { ...config, pipeline: true };
    this.#onError = onError;
  }

  async query<Row extends QueryResultRow>(config: QueryConfig): Promise<Row[]> {
    const client = await (this.#client ??= this.#connect());
    return (await client.query<Row>(config)).rows;
  }

  async #connect(): Promise<Client> {
    const client = new Client(this.#config);
    const forget = () => {
      if (this.#client === opening) this.#client = undefined;
    };
    client.on('error', (error) => {
      forget();
      this.#onError(error);
    });
    client.on('end', forget);
    const opening = client.connect().then(
      () => client,
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    this.#client = opening;
    return await opening;
  }

  async end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    // A connection that never came up has nothing to close.
    await client?.then(async (open) => await open.end()).catch(() => undefined);
  }
}
