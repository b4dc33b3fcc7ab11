import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { assertProblem } from './problems.fixture.ts';
import { send } from './raw-http.fixture.ts';
import { openOperation, startTinyApp } from './tiny-app.fixture.ts';

let service: TestService;
let tenant: Tenant;
let identity: Record<string, string>;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  identity = {
    authorization: `Bearer ${tenant.api_key}`,
    'x-instance-slug': tenant.instance.slug,
  };
});
after(async () => await service.stop());

test('X-Request-Id is echoed when it is 1 to 128 harmless characters, else replaced', async () => {
  for (const good of ['a', 'A.b_c:d-9', 'x'.repeat(128)]) {
    const answer = await send(service.base_url, { headers: { 'x-request-id': good } });
    assert.equal(answer.header('x-request-id'), good);
  }
  for (const bad of ['', 'x'.repeat(129), 'a b', 'a/b', '<script>', 'é', 'a,b']) {
    const answer = await send(service.base_url, { headers: { 'x-request-id': bad } });
    assert.match(answer.header('x-request-id') ?? '', /^[0-9a-f-]{36}$/, bad);
  }
});

test('the trace of a valid traceparent is kept, any other is replaced', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceOf = async (traceparent: string) => {
    const answer = await send(service.base_url, { path: '/nowhere', headers: { traceparent } });
    assertProblem(answer, 'not_found');
    return answer.json.trace_id;
  };
  assert.equal(await traceOf(`00-${trace}-00f067aa0ba902b7-01`), trace);
  assert.equal(await traceOf(`cc-${trace}-00f067aa0ba902b7-01-what-the-future-will-be-like`), trace);
  for (const bad of [
    'nonsense',
    `00-${trace}-00f067aa0ba902b7-01-more`,
    `00-${trace}-00f067aa0ba902b7`,
    `ff-${trace}-00f067aa0ba902b7-01`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
  ]) {
    assert.notEqual(await traceOf(bad), trace, bad);
  }
});

test('Location comes with a 201 and with nothing else, and dates are UTC with a Z', async () => {
  const body = { name: 'Where', field_key: 'WHERE', type: 'text' };
  const created = await tenant.api.post('/v1/fields', body);
  assert.equal(created.headers.get('location'), `/v1/fields/${created.json.id}`);
  assert.match(created.json.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const others = await Promise.all([
    tenant.api.get('/v1/fields'),
    tenant.api.get(`/v1/fields/${created.json.id}`),
    tenant.api.post('/v1/fields', body),
    tenant.api.post('/v1/fields', {}),
    tenant.api.get('/nowhere'),
  ]);
  assert.deepEqual(
    others.map(({ status, headers }) => [status, headers.get('location')]),
    [200, 200, 409, 422, 404].map((status) => [status, null]),
  );
});

test('HEAD answers like GET without the body', async () => {
  const [head, get] = await Promise.all(
    ['HEAD', 'GET'].map(
      async (method) => await send(service.base_url, { method, path: '/v1/fields', headers: identity }),
    ),
  );
  assert.equal(head?.status, 200);
  assert.equal(head.body, '');
  for (const name of ['content-type', 'content-length', 'cache-control']) {
    assert.equal(head.header(name), get?.header(name), name);
  }
  const refused = await send(service.base_url, { method: 'HEAD', path: '/v1/fields' });
  assert.deepEqual([refused.status, refused.header('www-authenticate'), refused.body], [401, 'Bearer', '']);
  const missing = await send(service.base_url, {
    method: 'HEAD',
    path: '/v1/fields/999999',
    headers: identity,
  });
  assert.equal(missing.status, 404);
});

test('a 204 has neither a body nor a Content-Length, whatever the client sent along', async () => {
  const done = { status: 204, description: 'Done.' } as const;
  const app = await startTinyApp([
    openOperation({ method: 'DELETE', path: '/thing', success: done }, async () => undefined),
    openOperation({ method: 'POST', path: '/thing', success: done }, async () => undefined),
  ]);
  try {
    for (const [method, headers, body] of [
      ['DELETE', {}, undefined],
      ['POST', { 'content-type': 'application/x-www-form-urlencoded' }, ''],
      ['POST', { 'content-type': 'application/json' }, '{'],
      ['POST', { 'content-type': 'nonsense' }, 'x'],
      ['DELETE', { 'content-encoding': 'br' }, 'x'.repeat(2_000_000)],
    ] as const) {
      const answer = await send(app.base_url, {
        method,
        path: '/thing',
        headers,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, 204);
      assert.equal(answer.body, '');
      for (const name of ['content-length', 'transfer-encoding', 'content-type', 'location']) {
        assert.equal(answer.header(name), undefined, name);
      }
    }
  } finally {
    await app.stop();
  }
});
