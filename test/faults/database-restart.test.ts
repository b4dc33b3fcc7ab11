import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../../src/base/db/embedded/embedded-postgres.ts';
import { migrate } from '../../src/base/db/migrate.ts';
import { revokeApiKey } from '../../src/credentials/api-keys.ts';
import type { ApiResponse } from '../support/api.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

const migrations = path.resolve(import.meta.dirname, '../../migrations');
let folder = '';
let postgres: EmbeddedPostgres;
let service: TestService;
let tenant: Tenant;
let limited: Tenant;

async function startPostgres(): Promise<void> {
  const settings = { shared_buffers: '32MB' };
  postgres = await openEmbeddedPostgres({
    data_dir: folder,
    durable: false,
    settings,
    on_exit: () => undefined,
  });
}

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'chq-restart-'));
  await chmod(folder, 0o755);
  await startPostgres();
  const { connection } = postgres;
  await migrate(connection, migrations);
  const { host, port, user, password, database } = connection;
  const url = `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  service = await startTestService({ database: { connection, url, drop: async () => undefined } });
  tenant = await service.tenant();
  limited = await service.tenant({ scopes: ['mail:send'] });
});
after(async () => {
  await service.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Answer extends ApiResponse {
  ms: number;
}

async function ask(
  { api }: Tenant,
  path_ = '/v1/fields',
  headers: Record<string, string> = {},
): Promise<Answer> {
  const began = performance.now();
  const answer = await api.get(path_, headers);
  return { ...answer, ms: performance.now() - began };
}

function isRefusedForNow({ status, json, headers, ms }: Answer): void {
  assert.equal(status, 503, JSON.stringify(json));
  assert.equal(json.code, 'service_unavailable');
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  assert.ok(ms < 6_000, `answered after ${ms} ms`);
}

/** Callers that go on calling, whatever they get. */
function keepAsking(callers: number): { answers: Answer[]; stop: () => Promise<void> } {
  const answers: Answer[] = [];
  const state = { asking: true };
  const caller = async (): Promise<void> => {
    while (state.asking) {
      answers.push(await ask(tenant));
      await sleep(5);
    }
  };
  const all = Promise.all(Array.from({ length: callers }, caller));
  return {
    answers,
    async stop() {
      state.asking = false;
      await all;
    },
  };
}

async function recovers(): Promise<number> {
  const began = performance.now();
  await waitFor(async () => (await ask(tenant)).status === 200, {
    timeout_ms: 10_000,
    what: 'the first 200',
  });
  return Math.round(performance.now() - began);
}

/** The wrong token, so that the id of the key is known and the rest is not. */
function forged({ api_key }: Tenant): Record<string, string> {
  return { authorization: `Bearer ${api_key.slice(0, -1)}${api_key.endsWith('A') ? 'B' : 'A'}` };
}

test('while the database is away every request is told to come back, and then it works by itself', async (t) => {
  const cold = await service.tenant();
  assert.deepEqual([(await ask(tenant)).status, (await ask(limited)).status], [200, 403]);
  await postgres.stop();
  for (const answer of await Promise.all([1, 2, 3, 4, 5].map(async () => await ask(tenant))))
    isRefusedForNow(answer);
  isRefusedForNow(await ask(cold));
  isRefusedForNow(await ask(tenant, '/readyz'));
  assert.equal((await ask(tenant, '/healthz')).status, 200);
  const field = { name: 'Colour', field_key: 'COLOUR', type: 'text' };
  isRefusedForNow({ ...(await tenant.api.post('/v1/fields', field)), ms: 0 });
  await startPostgres();
  t.diagnostic(`serves again ${await recovers()} ms after the database is back`);
  assert.equal((await ask(cold)).status, 200);
  assert.equal((await tenant.api.post('/v1/fields', field)).status, 201);
});

test('keys that were in use are judged right without the database', async () => {
  assert.deepEqual([(await ask(tenant)).status, (await ask(limited)).status], [200, 403]);
  await postgres.stop();
  const judged = await Promise.all([
    ask(tenant, '/v1/fields', forged(tenant)),
    ask(tenant, '/v1/fields', { 'x-instance-slug': limited.instance.slug }),
    ask(limited),
  ]);
  assert.deepEqual(
    judged.map(({ status, json }) => [status, json.code]),
    [
      [401, 'unauthorized'],
      [401, 'unauthorized'],
      [403, 'forbidden'],
    ],
  );
  assert.equal((await ask(tenant, '/v1/fields', { authorization: 'Bearer nonsense' })).status, 401);
  await startPostgres();
  await recovers();
});

test('a restart under load costs callers some 503s, no other error and no long wait', async (t) => {
  const { answers, stop } = keepAsking(8);
  await waitFor(() => answers.length > 50);
  await postgres.stop();
  await startPostgres();
  await recovers();
  await stop();
  const failed = answers.filter(({ status }) => status !== 200);
  for (const answer of failed) isRefusedForNow(answer);
  t.diagnostic(`${answers.length} requests, ${failed.length} of them refused`);
});

test('a crash of the database under load does no more harm than a restart', async (t) => {
  const { answers, stop } = keepAsking(8);
  await waitFor(() => answers.length > 50);
  const pid = Number(
    (await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0],
  );
  process.kill(pid, 'SIGKILL');
  await waitFor(() => answers.some(({ status }) => status === 503), { what: 'the first 503' });
  await startPostgres();
  t.diagnostic(`serves again ${await recovers()} ms after the database is back`);
  await stop();
  for (const answer of answers.filter(({ status }) => status !== 200)) isRefusedForNow(answer);
});

test('after an outage changes are heard of at once again', async () => {
  await postgres.stop();
  await startPostgres();
  await recovers();
  const listening =
    "select from pg_stat_activity where application_name = 'chasqui listen' and state = 'idle'";
  await waitFor(async () => (await service.db.query(listening)).length > 0, { what: 'the listener' });
  const other = await service.tenant();
  assert.equal((await ask(other)).status, 200);
  const revoke = {
    id: other.api_key.split('.')[1] ?? '',
    actor: { kind: 'operator' } as const,
    now: new Date(),
  };
  await service.db.transaction(async (tx) => await revokeApiKey(tx, other.instance.id, revoke));
  await waitFor(async () => (await ask(other)).status === 401, {
    timeout_ms: 4_000,
    what: 'the key to be refused',
  });
});

test('no outage was logged as a bug', () => {
  const errors = service.logged.filter((line) => /"level":"(error|fatal)"/.test(line));
  assert.deepEqual(errors, []);
});
