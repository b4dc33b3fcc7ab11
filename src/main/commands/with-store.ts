import { readConfig, type Config, type Environment } from '../../base/config.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import type { MigrationProgress } from '../../base/db/migrate.ts';
import { createLog } from '../../base/log.ts';
import type { Actor } from '../../audit/audit.ts';
import { createTemplateRenderer, type TemplateRenderer } from '../../templates/template-renderer.ts';
import { openStore, withUsableDataDir, type Store } from '../store.ts';

/** Whoever can run commands on the machine is the operator. */
export const operator: Actor = { kind: 'operator' };

interface Access {
  /** Only `migrate` may make and change a schema. */
  schema?: 'migrate' | 'current' | 'any';
  on_progress?: (progress: MigrationProgress) => void;
}

/** Runs `work` on the database of the running service, or on the stopped one's, which is started for it. */
export async function withStore<T>(
  env: Environment,
  work: (db: Database, context: { config: Config; store: Store; renderer: TemplateRenderer }) => Promise<T>,
  { schema = 'current', ...access }: Access = {},
): Promise<T> {
  const config = withUsableDataDir(readConfig(env));
  const log = createLog('silent');
  const store = await openStore({ config, schema, log, on_lost: () => undefined, ...access });
  const renderer = createTemplateRenderer(config);
  try {
    return await work(store.db, { config, store, renderer });
  } finally {
    renderer.stop();
    await store.close();
  }
}

export async function inTransaction<T>(env: Environment, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return await withStore(env, async (db) => await db.transaction(work));
}
