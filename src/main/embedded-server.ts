import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../base/db/embedded/embedded-postgres.ts';

/** Longer than a refusal takes, so that a server that refuses everybody is not asked without pause. */
const pause_ms = 100;

interface HoldOptions {
  data_dir: string;
  /** Called when the server ended and cannot be had again. */
  on_lost: (reason: string) => void;
}

/**
 * The embedded server for as long as this process runs. It may have been started by another one, be it a command or
 * another node on the same data; when that one ends, this one starts it again and owns it from then on.
 */
export async function holdEmbeddedServer({ data_dir, on_lost }: HoldOptions): Promise<EmbeddedPostgres> {
  let stopped = false;
  let watcher: Client | undefined;
  let server = await open();
  if (server.attached) await watch();

  async function open(): Promise<EmbeddedPostgres> {
    return await openEmbeddedPostgres({ data_dir, on_exit: on_lost });
  }

  /** The end of this connection is the end of the server: nothing is ever asked on it. */
  async function watch(): Promise<void> {
    const client = new Client({ ...server.connection, application_name: 'chasqui attached' });
    const ended = Promise.withResolvers<void>();
    client.on('error', () => ended.resolve());
    client.on('end', () => ended.resolve());
    watcher = client;
    void ended.promise.then(takeOver);
    await client.connect().catch(() => ended.resolve());
  }

  async function takeOver(): Promise<void> {
    await sleep(pause_ms);
    if (stopped) return;
    try {
      const next = await open();
      if (stopped) return await next.stop();
      server = next;
      if (next.attached) await watch();
    } catch (error) {
      on_lost(`The embedded PostgreSQL was stopped and did not start again: ${(error as Error).message}`);
    }
  }

  return {
    ...server,
    async stop() {
      stopped = true;
      void watcher?.end();
      await server.stop();
    },
  };
}
