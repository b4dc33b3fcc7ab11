import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createDatabaseLink, type DatabaseLink } from './database-link.fixture.ts';
import { assertProblem } from './problems.fixture.ts';
import { send } from './raw-http.fixture.ts';
import { unhurriedTenant } from './resources.fixture.ts';
import { openOperation, startTinyApp } from './tiny-app.fixture.ts';

let link: DatabaseLink;
let service: TestService;
let tenant: Tenant;
before(async () => {
  link = await createDatabaseLink();
  service = await startTestService({ database: link.database });
  tenant = await unhurriedTenant(service);
});
after(async () => {
  await (service as TestService | undefined)?.stop();
  await link.stop();
});

const secret = 'the password is hunter2';
const throwing = (value: unknown) => async (): Promise<never> => {
  // oxlint-disable-next-line typescript/only-throw-error -- what libraries may throw
  throw value;
};
const loop: { loop?: unknown } = {};
loop.loop = loop;
const bugs: [string, () => Promise<unknown>][] = [
  ['an error', throwing(new Error(secret))],
  ['a string', throwing(secret)],
  ['nothing thrown', throwing(undefined)],
  ['null thrown', throwing(null)],
  ['an error that names a status', throwing(Object.assign(new Error(secret), { statusCode: 404 }))],
  ['a failed look for a file', async () => await readFile('/nowhere/at/all')],
  ['a wrong statement', async () => await service.db.query('select * from nowhere')],
  ['a result that is no JSON', async () => 10n],
  ['a result that contains itself', async () => loop],
];
for (const [name, handle] of bugs) {
  test(`an operation that ends in ${name} is a generic 500, and the log has the rest under its trace`, async () => {
    const app = await startTinyApp([openOperation({ path: '/bug' }, handle)]);
    try {
      const answer = await send(app.base_url, { path: '/bug' });
      assertProblem(answer, 'internal_error', { detail: /^An unexpected error happened\./ });
      assert.doesNotMatch(answer.body, /hunter2|\.ts|at /);
      const logged = await waitFor(() => app.logged.find((line) => line.includes('unexpected error')));
      const line = JSON.parse(logged);
      assert.deepEqual([line.level, line.trace_id], ['error', answer.json.trace_id]);
    } finally {
      await app.stop();
    }
  });
}

const lost: [string, Error][] = [
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['a socket that is not there', Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' })],
  ['a server that shuts down', Object.assign(new Error('x'), { code: '57P01' })],
  ['too many connections', Object.assign(new Error('x'), { code: '53300' })],
  ['a deadlock', Object.assign(new Error('x'), { code: '40P01' })],
  ['a replica that cannot write', Object.assign(new Error('x'), { code: '25006' })],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
  ['a pool that is ending', new Error('Cannot use a pool after calling end on the pool')],
];
for (const [name, error] of lost) {
  test(`an operation that runs into ${name} is a 503 to try again`, async () => {
    const app = await startTinyApp([openOperation({ path: '/lost' }, throwing(error))]);
    try {
      const answer = await send(app.base_url, { path: '/lost' });
      assertProblem(answer, 'service_unavailable');
      assert.match(answer.header('retry-after') ?? '', /^[1-9]\d*$/);
      assert.ok(app.logged.every((line) => JSON.parse(line).level !== 'error'));
    } finally {
      await app.stop();
    }
  });
}

test('without its database the service says so, and works again when it is back', async () => {
  const stranger = await service.tenant();
  assert.equal((await tenant.api.get('/v1/fields')).status, 200);
  await link.cut();
  for (const { api } of [tenant, stranger]) {
    const answer = await api.get('/v1/fields');
    assertProblem(answer, 'service_unavailable');
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  const ready = await send(service.base_url, { path: '/readyz' });
  assertProblem(ready, 'service_unavailable');
  assert.equal((await send(service.base_url, { path: '/healthz' })).status, 200);
  assert.equal((await send(service.base_url, { path: '/openapi.json' })).status, 200);
  await link.mend();
  for (const { api } of [tenant, stranger]) {
    await waitFor(async () => (await api.get('/v1/fields')).status === 200);
  }
});

test('connections that break under load cost some callers a 503 and none a 500', async () => {
  const statuses: number[] = [];
  const done = new AbortController();
  const callers = Array.from({ length: 8 }, async () => {
    while (!done.signal.aborted) statuses.push((await tenant.api.get('/v1/fields')).status);
  });
  for (let round = 0; round < 10; round += 1) {
    const seen = statuses.length;
    await waitFor(() => statuses.length > seen + 8);
    await service.db
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name like 'chasqui%' and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined);
  }
  done.abort();
  await Promise.all(callers);
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => status !== 200 && status !== 503),
    [],
  );
  await waitFor(async () => (await tenant.api.get('/v1/fields')).status === 200);
});
