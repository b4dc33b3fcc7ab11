import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../base/db/embedded/embedded-postgres.ts';
import type { Log } from '../base/log.ts';

/** Delays before restarts. After this many within `counted_ms` the server is given up. */
const backoffMs = [100, 500, 1_000, 2_000, 4_000, 8_000];
const countedMs = 5 * 60_000;

interface HoldOptions {
  data_dir: string;
  /** Whether a folder without data gets a new database. */
  create: boolean;
  log: Log;
  /** Called when the server ended and could not be restarted. */
  on_lost: (reason: string) => void;
}

/**
 * The embedded server for as long as this process runs. It may have been started by another one, be it a command or
 * another node on the same data. When that one ends, or the server is killed, this one starts it again and owns it from
 * then on.
 */
export async function holdEmbeddedServer(options: HoldOptions): Promise<EmbeddedPostgres> {
  const { data_dir, log, on_lost } = options;
  let stopped = false;
  let watcher: Client | undefined;
  /** Times of recent restarts. */
  let attempts: number[] = [];
  let server = await open(options.create);
  if (server.attached) await watch();

  async function open(create: boolean): Promise<EmbeddedPostgres> {
    return await openEmbeddedPostgres({ data_dir, create, on_exit: (reason) => void recover(reason) });
  }

  /** Detects the end of the server; no statement is ever run on it. */
  async function watch(): Promise<void> {
    const client = new Client({ ...server.connection, application_name: 'chasqui attached' });
    const ended = Promise.withResolvers<void>();
    client.on('error', () => ended.resolve());
    client.on('end', () => ended.resolve());
    watcher = client;
    void ended.promise.then(async () => await recover('The process that ran the embedded PostgreSQL ended.'));
    await client.connect().catch(() => ended.resolve());
  }

  async function recover(reason: string): Promise<void> {
    if (stopped) return;
    log.warn({ reason }, 'the embedded database ended and is restarted');
    let failure = reason;
    for (let wait = nextWait(); wait !== undefined; wait = nextWait()) {
      await sleep(wait);
      if (stopped) return;
      try {
        // Never create a new cluster here: it would hide that the data is gone.
        const next = await open(false);
        if (stopped) return await next.stop();
        server = next;
        if (next.attached) await watch();
        log.info('restarted the embedded database');
        return;
      } catch (error) {
        failure = (error as Error).message;
        log.warn({ err: error }, 'the embedded database failed to start');
      }
    }
    on_lost(
      `The embedded PostgreSQL ended and did not run again after ${backoffMs.length} attempts. ${failure}`,
    );
  }

  /** Delay before the next restart; undefined after too many. */
  function nextWait(): number | undefined {
    const now = performance.now();
    attempts = attempts.filter((at) => at > now - countedMs);
    const wait = backoffMs[attempts.length];
    attempts.push(now);
    return wait;
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
