import { Client, type ClientConfig } from 'pg';
import { ConnectionLost, isSessionSpent, tellLoss } from './connection-loss.ts';

/**
 * A connection that is opened on first use and again after a loss. What is under way at the loss fails, since whether it
 * was done is unknown.
 */
export class KeptConnection {
  readonly #config: ClientConfig;
  readonly #onError: (error: Error) => void;
  readonly #setup: string | undefined;
  #client: Promise<Client> | undefined;
  #ended = false;

  /** `setup` is run once on each new connection. */
  constructor(config: ClientConfig, onError: (error: Error) => void, setup?: string) {
    this.#config = config;
    this.#onError = onError;
    this.#setup = setup;
  }

  /** After an error that leaves the session of no use, the next one gets a new connection. */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#ended) throw new ConnectionLost('The database was closed.');
    const opening = (this.#client ??= this.#connect());
    try {
      return await work(await opening);
    } catch (error) {
      const told = tellLoss(error);
      if (told instanceof ConnectionLost) this.#giveUp(opening);
      else if (isSessionSpent(told)) this.#replace(opening);
      throw told;
    }
  }

  #connect(): Promise<Client> {
    const client = new Client(this.#config);
    const opening = client.connect().then(async () => {
      if (this.#setup !== undefined) await client.query(this.#setup);
      return client;
    });
    client.on('error', (error) => {
      // Told once: the driver repeats the loss when the socket closes.
      if (this.#forget(opening)) this.#onError(error);
    });
    client.on('end', () => this.#forget(opening));
    opening.catch(() => this.#forget(opening));
    return opening;
  }

  #forget(opening: Promise<Client>): boolean {
    const isCurrent = this.#client === opening;
    if (isCurrent) this.#client = undefined;
    return isCurrent;
  }

  /** What is under way on the old connection is answered there; what is to come uses a new one. */
  #replace(old: Promise<Client>): void {
    if (this.#forget(old)) void old.then(async (client) => await client.end()).catch(() => undefined);
  }

  /** A server that did not answer in time may still do so, to somebody who asked for something else. */
  #giveUp(lost: Promise<Client>): void {
    void lost.then((client) => client.connection.stream.destroy()).catch(() => undefined);
  }

  /** Waits for what is under way. */
  async end(): Promise<void> {
    this.#ended = true;
    // A connection that never came up has nothing to close.
    await this.#client?.then(async (client) => await client.end()).catch(() => undefined);
  }

  /** Closes the connection under what is under way, which fails. */
  async cut(): Promise<void> {
    this.#ended = true;
    await this.#client?.then((client) => client.connection.stream.destroy()).catch(() => undefined);
  }
}
