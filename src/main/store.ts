import { fileURLToPath } from 'node:url';
import type { Config } from '../base/config.ts';
import { Database, type ConnectionSettings } from '../base/db/database.ts';
import { LineStreams } from '../base/db/line-streams.ts';
import { canServePostgresFrom } from '../base/db/embedded/reachable.ts';
import { connectForSchema, migrate, type MigrationProgress } from '../base/db/migrate.ts';
import { readMigrations } from '../base/db/migrations.ts';
import { createSchemaCheck, requireCurrentSchema } from '../base/db/schema-state.ts';
import { createWriteProbe } from '../base/db/write-probe.ts';
import type { Log } from '../base/log.ts';
import { holdEmbeddedServer } from './embedded-server.ts';

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
const fallbackDataDir = '/var/lib/chasqui';
/** Callers have waited for their own work before they close the store. */
const closeWithinMs = 1_000;
/** Per process, on connections of their own. */
const maxExports = 6;

export interface Store {
  connection: ConnectionSettings;
  db: Database;
  /** For results of any size, on connections of their own. */
  lines: LineStreams;
  /** Throws `service_unavailable` when the database refuses writes. */
  requireWritable(): Promise<void>;
  /** Whether this code knows every migration that the database has; asked by what must not run on a newer schema. */
  isSchemaKnown(): Promise<boolean>;
  /** What the operator should know about where the data is. */
  description: string;
  close(): Promise<void>;
}

interface StoreOptions {
  config: Config;
  /**
   * `migrate` makes the database and brings it to the schema of this code. Commands that do not run the service
   * create and change nothing: `current` refuses another schema, `any` takes the database as it is.
   */
  schema: 'migrate' | 'current' | 'any';
  log: Log;
  /** Called when the embedded server ended and could not be started again. */
  on_lost: (reason: string) => void;
  on_progress?: (progress: MigrationProgress) => void;
}

/**
 * `./data`, unless that is out of reach for the user PostgreSQL runs as: root's own server runs as `nobody`, which
 * cannot enter a project below /root on a machine that also forbids user namespaces.
 */
export function withUsableDataDir(config: Config): Config {
  if (config.database_url || !config.data_dir_is_default || canServePostgresFrom(config.data_dir))
    return config;
  return { ...config, data_dir: fallbackDataDir };
}

/** The database: the external one when DATABASE_URL is set, else the embedded one, started or joined. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { config, schema, log, on_lost } = options;
  const create = schema === 'migrate';
  const embedded = config.database_url
    ? undefined
    : await holdEmbeddedServer({ data_dir: config.data_dir, create, log, on_lost });
  const connection: ConnectionSettings = embedded?.connection ?? {
    connectionString: config.database_url ?? '',
  };
  try {
    await prepareSchema(connection, options);
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

async function prepareSchema(
  connection: ConnectionSettings,
  { schema, log, on_progress = report(log) }: StoreOptions,
): Promise<void> {
  if (schema === 'migrate') {
    const began = performance.now();
    const { applied } = await migrate(connection, migrationsFolder, { on_progress });
    const ms = Math.round(performance.now() - began);
    if (applied.length > 0) log.info({ migrations: applied.length, last: applied.at(-1), ms }, 'migrated');
  }
  if (schema === 'current') await requireCurrentSchema(connection, await readMigrations(migrationsFolder));
  // That it answers is looked at in any case.
  if (schema === 'any') await (await connectForSchema(connection)).end();
}

/** Longer ones are named one by one: a start that takes minutes says where it is. */
const longMigrationMs = 1_000;

function report(log: Log): (progress: MigrationProgress) => void {
  return ({ kind, ...details }) => {
    if (kind === 'applied') {
      const { ms = 0 } = details as { ms?: number };
      log[ms >= longMigrationMs ? 'info' : 'debug'](details, 'applied a migration');
    }
    if (kind === 'queued') log.info('waiting for another node that is migrating the database');
    if (kind === 'waiting') log.warn(details, 'a migration timed out waiting for a lock and is retried');
  };
}

interface ShareOptions {
  config: Config;
  connection: ConnectionSettings;
  log: Log;
}

/** Separate connections to a database that the caller has opened and keeps. */
export function shareStore({ config, connection, log }: ShareOptions): Store {
  const on_error = (error: Error): void => log.warn({ err: error }, 'lost a database connection');
  const db = new Database({ connection, pool_size: config.database_pool_size, pipelines: 2, on_error });
  const lines = new LineStreams({ connection, max_open: maxExports, on_error });
  // Read at the start: a release that is installed over this one changes the files.
  const known = readMigrations(migrationsFolder);
  known.catch(on_error);
  const probe = createWriteProbe({ connection, on_error });
  return {
    connection,
    db,
    lines,
    requireWritable: async () => await probe.check(),
    isSchemaKnown: createSchemaCheck(db, known),
    description: 'shared',
    close: async () => void (await Promise.all([db.end(closeWithinMs), lines.end(), probe.end()])),
  };
}
