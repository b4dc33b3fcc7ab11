import { readConfig, type Config, type Environment } from '../../base/config.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import type { MigrationProgress } from '../../base/db/migrate.ts';
import { createLog } from '../../base/log.ts';
import { trustAuthorities } from '../../base/trusted-authorities.ts';
import type { Actor } from '../../audit/audit.ts';
import { createTemplateRenderer, type TemplateRenderer } from '../../templates/template-renderer.ts';
import { getInstance, type Instance } from '../../instances/instances.ts';
import { required, type CommandInput } from '../command.ts';
import { openStore, withUsableDataDir, type Store } from '../store.ts';

/** A person who can run commands on the machine is the operator. */
export const operator: Actor = { kind: 'operator' };

interface Access {
  /** Only `migrate` may make and change a schema. */
  schema?: 'migrate' | 'current' | 'any';
  on_progress?: (progress: MigrationProgress) => void;
}

export interface StoreContext {
  config: Config;
  store: Store;
  renderer: TemplateRenderer;
}

/** Runs `work` on the database of the running service, or on the stopped one's, which is started for it. */
export async function withStore<T>(
  env: Environment,
  work: (db: Database, context: StoreContext) => Promise<T>,
  { schema = 'current', ...access }: Access = {},
): Promise<T> {
  const config = withUsableDataDir(readConfig(env));
  trustAuthorities(config.ca_file);
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

/** On the instance that `--instance` names. */
export async function withInstance<T>(
  input: CommandInput,
  work: (db: Database, instance: Instance, context: StoreContext) => Promise<T>,
): Promise<T> {
  const slug = required(input, 'instance');
  return await withStore(
    input.env,
    async (db, context) => await work(db, await getInstance(db, slug), context),
  );
}

/** Likewise, in a transaction. */
export async function changeInstance<T>(
  input: CommandInput,
  work: (tx: Queryable, instance: Instance) => Promise<T>,
): Promise<T> {
  const slug = required(input, 'instance');
  return await inTransaction(input.env, async (tx) => await work(tx, await getInstance(tx, slug)));
}
