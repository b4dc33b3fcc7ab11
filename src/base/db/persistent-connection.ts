import { ConnectionLost, isSessionUnusable, asConnectionLoss, asUnreachable } from './connection-loss.ts';
import { TimedClient, type TimedClientConfig } from './timed-client.ts';

/** Connects on first use and again after a loss. Statements that run during the loss fail: their effect is unknown. */
export class PersistentConnection {
  readonly #config: TimedClientConfig;
  readonly #onError: (error: Error) => void;
  readonly #setup: string | undefined;
  #client: Promise<TimedClient> | undefined;
  #ended = false;

  /** `setup` is run once on each new connection. */
  constructor(config: TimedClientConfig, onError: (error: Error) => void, setup?: string) {
    this.#config = config;
    this.#onError = onError;
    this.#setup = setup;
  }

  /** After an error that makes the session unusable, the next call gets a new connection. */
  async use<T>(work: (client: TimedClient) => Promise<T>): Promise<T> {
    if (this.#ended) throw new ConnectionLost('The database was closed.');
    const opening = (this.#client ??= this.#connect());
    let isOpen = false;
    try {
      const client = await opening;
      isOpen = true;
      return await work(client);
    } catch (error) {
      const converted = isOpen ? asConnectionLoss(error) : asUnreachable(error);
      if (converted instanceof ConnectionLost) this.#giveUp(opening);
      else if (isSessionUnusable(converted)) this.#replace(opening);
      throw converted;
    }
  }

  #connect(): Promise<TimedClient> {
    const client = new TimedClient(this.#config);
    const opening = client.connect().then(async () => {
      if (this.#setup !== undefined) await client.ask({ text: this.#setup });
      return client;
    });
    client.on('error', (error) => {
      // Reported once: the driver emits the error again when the socket closes. One that we closed is not lost.
      if (this.#forget(opening) && !this.#ended) this.#onError(error);
    });
    client.on('end', () => this.#forget(opening));
    opening.catch(() => {
      this.#forget(opening);
      client.connection.stream.destroy();
    });
    return opening;
  }

  #forget(opening: Promise<TimedClient>): boolean {
    const isCurrent = this.#client === opening;
    if (isCurrent) this.#client = undefined;
    return isCurrent;
  }

  /** Running statements finish on the old connection; later ones use a new one. */
  #replace(old: Promise<TimedClient>): void {
    if (this.#forget(old)) void old.then(async (client) => await client.end()).catch(() => undefined);
  }

  /** Destroyed, since a late answer would be taken for the answer to the next statement. */
  #giveUp(lost: Promise<TimedClient>): void {
    void lost.then((client) => client.connection.stream.destroy()).catch(() => undefined);
  }

  /** Waits for running statements. */
  async end(): Promise<void> {
    this.#ended = true;
    // A connection that never came up has nothing to close.
    await this.#client?.then(async (client) => await client.end()).catch(() => undefined);
  }

  /** Closes the connection at once; running statements fail. */
  async destroy(): Promise<void> {
    this.#ended = true;
    await this.#client?.then((client) => client.connection.stream.destroy()).catch(() => undefined);
  }
}
