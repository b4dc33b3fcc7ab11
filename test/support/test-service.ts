import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig, type Config, type Environment } from '../../src/base/config.ts';
import { Database } from '../../src/base/db/database.ts';
import type { Clock } from '../../src/base/clock.ts';
import { scopes } from '../../src/base/http/access.ts';
import { createLog } from '../../src/base/log.ts';
import { createApiKey } from '../../src/credentials/api-keys.ts';
import type { Instance, NewInstance } from '../../src/instances/instances.ts';
import { provisionInstance } from '../../src/main/provision.ts';
import { readRoles } from '../../src/main/roles.ts';
import { startService, type Service } from '../../src/main/service.ts';
import { createApi, type Api } from './api.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface Tenant {
  instance: Instance;
  api_key: string;
  api: Api;
}

export interface TestService {
  base_url: string;
  metrics_url: string;
  service: Service;
  db: Database;
  database: TestDatabase;
  /** Lines of the service's log. */
  logged: string[];
  /** A new instance with a key for some scopes, all unless said. */
  tenant(options?: {
    slug?: string;
    scopes?: readonly string[];
    instance?: Partial<NewInstance>;
  }): Promise<Tenant>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  env?: Environment;
  /** Settings that the environment would not let through. */
  config?: Partial<Config>;
  /** All but delivery unless said, so that what was accepted stays in the queue to be looked at. */
  roles?: string;
  clock?: Clock;
  /** Share a database with another service of the test; it is then not dropped here. */
  database?: TestDatabase;
}

const operator = { kind: 'operator' } as const;
let tenants = 0;

/** The whole service on free ports with a database of its own. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const data_dir = await mkdtemp(path.join(tmpdir(), 'chq-data-'));
  const logged: string[] = [];
  const read = readConfig({
    DATABASE_URL: database.url,
    CHASQUI_DATA_DIR: data_dir,
    CHASQUI_HTTP_PORT: '0',
    CHASQUI_METRICS_PORT: '0',
    CHASQUI_DNS_PORT: '0',
    CHASQUI_SUBMISSION_PORT: '0',
    CHASQUI_SUBMISSIONS_PORT: '0',
    CHASQUI_INBOUND_PORT: '0',
    CHASQUI_DEMO: 'false',
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    ...options.env,
  });
  const config = { ...read, ...options.config };
  const service = await startService({
    config,
    roles: readRoles(options.roles ?? 'api,web,submission,inbound,dns'),
    log: createLog(config.log_level, { write: (line) => void logged.push(line) }),
    on_lost: () => undefined,
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const db = new Database({
    connection: database.connection,
    pool_size: 4,
    pipelines: 1,
    on_error: () => undefined,
  });
  const base_url = service.addresses.base_url ?? '';
  return {
    base_url,
    metrics_url: service.addresses.metrics,
    service,
    db,
    database,
    logged,
    async tenant({
      slug = `tenant-${process.pid}-${(tenants += 1)}`,
      scopes: wanted = scopes,
      instance: more,
    } = {}) {
      return await db.transaction(async (tx) => {
        const instance = await provisionInstance(tx, { slug, name: slug, ...more }, operator);
        const key = { name: 'test', scopes: [...wanted], ip_allowlist: [] };
        const { api_key } = await createApiKey(tx, instance.id, { key, actor: operator });
        return { instance, api_key, api: createApi({ base_url, api_key, slug }) };
      });
    },
    async stop() {
      await service.stop();
      await db.end();
      if (!options.database) await database.drop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}
