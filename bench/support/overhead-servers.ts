import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { systemClock } from '../../src/base/clock.ts';
import { Database } from '../../src/base/db/database.ts';
import { createNotifications } from '../../src/base/db/notifications.ts';
import { Problem } from '../../src/base/errors/problem.ts';
import { scopes, type Authenticate } from '../../src/base/http/access.ts';
import { createHttpApp } from '../../src/base/http/app.ts';
import { operation } from '../../src/base/http/operation.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { fieldRoutes } from '../../src/forms/field-routes.ts';
import { createApiKey } from '../../src/credentials/api-keys.ts';
import { createApiKeyAuthentication } from '../../src/credentials/authenticate-api-key.ts';
import { createInstanceDirectory } from '../../src/instances/instance-directory.ts';
import { createSharedBuckets } from '../../src/limits/shared-buckets.ts';
import { provisionInstance } from '../../src/main/provision.ts';
import { createTestDatabase } from '../../test/support/test-database.ts';

export interface OverheadServers {
  bare_url: string;
  ours_url: string;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

const answer = { status: 'ok' };
const operator = { kind: 'operator' } as const;

const empty = operation({
  id: 'bench_empty',
  method: 'GET',
  path: '/v1/empty',
  tag: 'Bench',
  summary: 'Nothing',
  description: 'Nothing.',
  access: { kind: 'api_key', scope: 'field:read' },
  success: { status: 200, description: 'Nothing.', schema: Type.Object({ status: Type.String() }) },
  errors: [],
  handle: async () => answer,
});

/** The same empty route on bare Fastify and through every convention of ours, in this process. */
export async function startOverheadServers(): Promise<OverheadServers> {
  const database = await createTestDatabase();
  const db = new Database({
    connection: database.connection,
    pool_size: 10,
    pipelines: 2,
    on_error: () => undefined,
  });
  const notifications = createNotifications(database.connection, () => undefined);
  const { slug, api_key } = await provisionCaller(db);
  const bare = Fastify();
  bare.get(empty.path, async () => answer);
  const ours = createHttpApp({
    operations: [empty, ...fieldRoutes({ db })],
    pages: [],
    authenticate: asInProduction(db, notifications),
    base_url: 'http://localhost:8080',
    trust_proxy: false,
    // Lines are made as in production and written nowhere.
    log: createLog('info', { write: () => undefined }),
    metrics: createMetrics(),
  });
  await notifications.start();
  const urlOf = async (app: FastifyInstance): Promise<string> => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  };
  return {
    bare_url: await urlOf(bare),
    ours_url: await urlOf(ours),
    headers: { authorization: `Bearer ${api_key}`, 'x-instance-slug': slug },
    async stop() {
      await Promise.all([bare.close(), ours.close()]);
      await notifications.stop();
      await db.end();
      await database.drop();
    },
  };
}

/** With a limit on requests that is never reached, since most callers have one. */
async function provisionCaller(db: Database): Promise<{ slug: string; api_key: string }> {
  const slug = 'bench';
  const key = { name: 'bench', scopes: [...scopes], ip_allowlist: [] };
  return await db.transaction(async (tx) => {
    const { id } = await provisionInstance(tx, { slug, name: slug }, operator);
    await tx.query('update instances set requests_per_second = 1000000, requests_burst = 1000000');
    const { api_key } = await createApiKey(tx, id, { key, actor: operator });
    return { slug, api_key };
  });
}

function asInProduction(db: Database, notifications: ReturnType<typeof createNotifications>): Authenticate {
  const keys = createApiKeyAuthentication(db, notifications, { clock: systemClock });
  const instances = createInstanceDirectory(db, notifications);
  const buckets = createSharedBuckets(db);
  return async (credentials, access) => {
    if (access.kind !== 'api_key') throw new Problem('unauthorized');
    const caller = await keys.authenticate(credentials, access.scope);
    const { requests_per_second: rate, requests_burst: burst } = await instances.get(caller.instance.id);
    const taken = await buckets.take(`requests ${caller.actor.id}`, 1, { rate, burst });
    if (!taken.ok) throw new Problem('rate_limit_exceeded', taken);
    return caller;
  };
}
