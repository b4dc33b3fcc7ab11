import { cachedFor } from '../cached-for.ts';
import { Problem } from '../errors/problem.ts';
import type { ConnectionSettings } from './database.ts';
import { PersistentConnection } from './persistent-connection.ts';

export interface WriteProbe {
  /** Throws `service_unavailable`, with the reason as its detail, when the database does not take a write. */
  check(): Promise<void>;
  end(): Promise<void>;
}

interface WriteProbeOptions {
  connection: ConnectionSettings;
  on_error: (error: Error) => void;
}

/** Results are cached for this long. */
const intervalMs = 1_000;
const timeoutMs = 2_000;
const max_bytes = 16 * 1024 * 1024;

/** Eight pages of new space, and little log; see the migration. */
const insert = `
  with written as (insert into write_probes (filler) select repeat('x', 400) from generate_series(1, 8))
  select pg_relation_size('write_probes') as bytes`;
/** Another node may be truncating it at the same time. */
const empty = "set local lock_timeout = '200ms'; truncate write_probes";

/**
 * A write that fails when accepting mail would: full disk, read-only server, no answer. It has its own connection, so that
 * it neither waits for other work nor delays it.
 */
export function createWriteProbe({ connection, on_error }: WriteProbeOptions): WriteProbe {
  const config = {
    ...connection,
    application_name: 'chasqui readiness',
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    answer_timeout_ms: timeoutMs,
    keepAlive: true,
  };
  const persistent = new PersistentConnection(config, on_error);

  async function write(): Promise<void> {
    await persistent.use(async (client) => {
      const { rows } = await client.ask<{ bytes: string }>({ text: insert });
      if (Number(rows[0]?.bytes) < max_bytes) return;
      await client.ask({ text: empty }).catch((error: unknown) => {
        if ((error as { code?: string }).code !== lockNotAvailable) throw error;
      });
    });
  }

  async function probe(): Promise<Problem | undefined> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('The write took too long.')), timeoutMs);
    const writing = write();
    try {
      await Promise.race([writing, late.promise]);
      return undefined;
    } catch (error) {
      return new Problem('service_unavailable', {
        detail: reasonFor(error),
        cause: error,
        retry_after_seconds: 1,
      });
    } finally {
      clearTimeout(timer);
      // After the timeout it still ends by the limits of its connection.
      writing.catch(() => undefined);
    }
  }

  const findProblem = cachedFor(intervalMs, probe);
  return {
    async check() {
      const problem = await findProblem();
      if (problem) throw problem;
    },
    // Not `end`, which waits for a server that may be silent.
    end: async () => await persistent.destroy(),
  };
}

const lockNotAvailable = '55P03';

/** Safe to show to anyone: the driver's messages contain hosts and users. */
function reasonFor(error: unknown): string {
  const { code = '', message } = error as Error & { code?: string };
  if (code === '25006') return 'The database is read-only.';
  if (code === '53100') return 'The disk of the database is full.';
  if (code.startsWith('53')) return 'The database is out of resources.';
  if (code === '57014' || /too long|timeout/i.test(message)) {
    return `The database did not finish a write within ${timeoutMs / 1000} s.`;
  }
  return 'The database cannot be reached.';
}
