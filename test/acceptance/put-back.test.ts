import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Operation } from '../../src/base/http/operation.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createActors, credentialsFor, fillPath, seedFor, type Actors } from './resources.fixture.ts';
import { send, type RawAnswer } from './raw-http.fixture.ts';

let service: TestService;
let actors: Actors;
let operations: Operation[];
before(async () => {
  service = await startTestService({ env: { CHASQUI_DNS_SERVERS: '127.0.0.1:9' } });
  actors = await createActors(service);
  operations = service.service.operations.filter(({ access }) => access.kind === 'api_key');
});
after(async () => await service.stop());

async function call(operation: Operation, path: string, body?: unknown): Promise<RawAnswer> {
  const headers = credentialsFor(operation, actors);
  const { method } = operation;
  if (body === undefined) return await send(service.base_url, { method, path, headers });
  const typed = { ...headers, 'content-type': 'application/json' };
  return await send(service.base_url, { method, path, headers: typed, body: JSON.stringify(body) });
}

async function auditLines(): Promise<number> {
  const rows = await service.db.query('select from audit_events where instance_id = $1', [
    actors.instance.id,
  ]);
  return rows.length;
}

/** They replace a part of a resource, which nothing reads by itself. */
const parts = new Set(['replace_form_items']);

test('PUT of what GET answered changes nothing, for every kind', async () => {
  const puts = operations.filter(({ method, id }) => method === 'PUT' && !parts.has(id));
  assert.ok(puts.length >= 10, puts.map(({ id }) => id).join());
  for (const put of puts) {
    const get = operations.find(({ method, path }) => method === 'GET' && path === put.path);
    assert.ok(get, `${put.path} can be read`);
    const path = put.path.includes('{') ? fillPath(put.path, await seedFor(put, service, actors)) : put.path;
    const read = await call(get, path);
    assert.equal(read.status, 200, `${get.id}: ${read.body}`);
    const lines = await auditLines();
    const same = await call(put, path, read.json);
    assert.equal(same.status, 200, `${put.id}: ${same.body}`);
    assert.deepEqual(same.json, read.json, put.id);
    assert.deepEqual((await call(get, path)).json, read.json, `${put.id} changed nothing`);
    assert.equal(await auditLines(), lines, `${put.id} is not in the audit log`);
  }
});

test('every resource with PATCH has PUT', () => {
  const places = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const patches = operations.filter(({ method }) => method === 'PATCH').map(({ path }) => path);
  assert.ok(patches.length >= 10);
  assert.deepEqual(
    patches.filter((path) => !places.has(`PUT ${path}`)),
    // A message has no settings but its time, a version is read as a part of its term, and a request of a person and a broadcast are
    // records.
    [
      '/v1/messages/{message_id}',
      '/v1/consent-terms/{id}/versions/{version_id}',
      '/v1/rights-requests/{id}',
      '/v1/broadcasts/{id}',
    ],
  );
});
