import { fileURLToPath } from 'node:url';
import type { Config } from '../base/config.ts';
import { Database, type ConnectionSettings } from '../base/db/database.ts';
import { LineStreams } from '../base/db/line-streams.ts';
import { canServePostgresFrom } from '../base/db/embedded/reachable.ts';
import { createWriteProbe } from '../base/db/write-probe.ts';
import { migrate } from '../base/db/migrate.ts';
import type { Log } from '../base/log.ts';
import { holdEmbeddedServer } from './embedded-server.ts';

export const migrations_folder = fileURLToPath(new URL('../../migrations', import.meta.url));
const fallback_data_dir = '/var/lib/chasqui';
/** Whoever closes the store has waited for its own work; what is still under way is nobody's. */
const close_within_ms = 1_000;
/** Per process. Their connections take nothing from those that serve everything else. */
const most_exports = 6;

export interface Store {
  connection: ConnectionSettings;
  db: Database;
  /** For results of any size, on connections of their own. */
  lines: LineStreams;
  /** Throws `service_unavailable` when the database does not take a write. */
  requireWritable(): Promise<void>;
  /** What the operator should know about where the data is. */
  description: string;
  close(): Promise<void>;
}

interface StoreOptions {
  config: Config;
  log: Log;
  /** Called when the embedded server dies under us. */
  on_lost: (reason: string) => void;
}

/**
 * `./data`, unless that is out of reach for the user PostgreSQL runs as: root's own server runs as `nobody`, which
 * cannot enter a project below /root on a machine that also forbids user namespaces.
 */
export function withUsableDataDir(config: Config): Config {
  if (config.database_url || !config.data_dir_is_default || canServePostgresFrom(config.data_dir))
    return config;
  return { ...config, data_dir: fallback_data_dir };
}

/** The database, migrated: the external one when DATABASE_URL is set, else the embedded one, started or joined. */
export async function openStore({ config, log, on_lost }: StoreOptions): Promise<Store> {
  const embedded = config.database_url
    ? undefined
    : await holdEmbeddedServer({ data_dir: config.data_dir, on_lost });
  const connection: ConnectionSettings = embedded?.connection ?? {
    connectionString: config.database_url ?? '',
  };
  try {
    const { applied } = await migrate(connection, migrations_folder);
    if (applied.length > 0) log.info({ applied }, 'migrated');
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  const shared = shareStore({ config, connection, log });
  return {
    ...shared,
    description: embedded
      ? `${embedded.attached ? 'embedded PostgreSQL of the running service' : 'embedded PostgreSQL'} in ${config.data_dir}`
      : 'external PostgreSQL',
    async close() {
      await shared.close();
      await embedded?.stop();
    },
  };
}

interface ShareOptions {
  config: Config;
  connection: ConnectionSettings;
  log: Log;
}

/** Connections of one's own to a database that somebody else has opened and keeps. */
export function shareStore({ config, connection, log }: ShareOptions): Store {
  const on_error = (error: Error): void => log.warn({ err: error }, 'a database connection was lost');
  const db = new Database({ connection, pool_size: config.database_pool_size, pipelines: 2, on_error });
  const lines = new LineStreams({ connection, most_open: most_exports, on_error });
  const probe = createWriteProbe({ connection, on_error });
  return {
    connection,
    db,
    lines,
    requireWritable: async () => await probe.check(),
    description: 'shared',
    close: async () => void (await Promise.all([db.end(close_within_ms), lines.end(), probe.end()])),
  };
}
