import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Type } from 'typebox';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { assertProblem, violations } from './problems.fixture.ts';
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

for (const path of [
  '/nowhere',
  '/v1',
  '/v1/',
  '/v2/fields',
  '/v1/datasets',
  '/v1/datasets/7/imports/x',
  '/v1/fields/',
  '//v1/fields',
  '/v1/Fields',
  '/v1/domains//status',
]) {
  test(`the unknown route ${path} is a 404 not_found, also for a stranger`, async () => {
    assertProblem(await send(service.base_url, { path }), 'not_found');
    assertProblem(await send(service.base_url, { path, headers: identity }), 'not_found');
  });
}

test('an unknown route is unknown whatever is sent to it', async () => {
  for (const [type, body] of [
    ['text/plain', 'x'],
    ['application/json', '{'],
    ['nonsense', 'x'],
  ] as const) {
    const headers = { 'content-type': type };
    assertProblem(
      await send(service.base_url, { method: 'POST', path: '/nowhere', headers, body }),
      'not_found',
    );
  }
});

for (const [method, path, allow] of [
  ['DELETE', '/v1/fields', 'GET, HEAD, POST'],
  ['POST', '/v1/fields/7', 'DELETE, GET, HEAD, PATCH, PUT'],
  ['POST', '/v1/fields/x', 'DELETE, GET, HEAD, PATCH, PUT'],
  ['OPTIONS', '/v1/fields', 'GET, HEAD, POST'],
  ['TRACE', '/v1/fields', 'GET, HEAD, POST'],
  ['PROPFIND', '/v1/fields', 'GET, HEAD, POST'],
  ['QUERY', '/v1/fields', 'GET, HEAD, POST'],
  ['POST', '/', 'GET, HEAD'],
  ['POST', '/docs/errors/forbidden', 'GET, HEAD'],
  ['PATCH', '/v1/%66ields', 'GET, HEAD, POST'],
  ['PATCH', 'http://localhost/v1/fields?x=1', 'GET, HEAD, POST'],
  // Not a mail whose id is `send`.
  ['GET', '/v1/mails/send', 'POST'],
  ['GET', '/v1/mails/batch?x=1', 'POST'],
  ['GET', '/v1/mails/s%65nd', 'POST'],
  ['DELETE', '/v1/mails/send', 'POST'],
] as const) {
  test(`${method} ${path} is a 405 that allows ${allow}`, async () => {
    const answer = await send(service.base_url, { method, path, headers: { 'content-type': 'text/plain' } });
    assertProblem(answer, 'method_not_allowed');
    assert.equal(answer.header('allow'), allow);
  });
}

test('a percent-encoding that cannot be decoded is a 400, in the path and in the query', async () => {
  for (const path of ['/v1/fields/%', '/v1/fields/%zz', '/v1/fields/%ED%A0%80', '/nowhere/%C3%28']) {
    assertProblem(await send(service.base_url, { path, headers: identity }), 'bad_request');
  }
  for (const query of ['page=%', 'unknown=%zz', '%ED%A0%80=1', 'a=1&b=%C3%28']) {
    const path = `/v1/fields?${query}`;
    assertProblem(await send(service.base_url, { path, headers: identity }), 'bad_request');
  }
});

for (const [query, expected] of [
  ['page=0', '/page greater_than_equal'],
  ['page=-1', '/page greater_than_equal'],
  ['page=abc', '/page int_parsing'],
  ['page=1.5', '/page int_parsing'],
  ['page=%201', '/page int_parsing'],
  ['page=99999999999999999999', '/page less_than_equal'],
  [`page=${'9'.repeat(400)}`, '/page finite_number'],
  ['page_size=0', '/page_size greater_than_equal'],
  ['page_size=101', '/page_size less_than_equal'],
  ['page_size=abc', '/page_size int_parsing'],
  ['is_active=maybe', '/is_active bool_parsing'],
  ['is_active=constructor', '/is_active bool_parsing'],
] as const) {
  test(`?${query.slice(0, 40)} is a 422 ${expected}`, async () => {
    const answer = await tenant.api.get(`/v1/fields?${query}`);
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), [expected]);
  });
}

test('page and page_size at their bounds are fine, unknown parameters are ignored, the last of a repeated one counts', async () => {
  for (const query of ['page=1&page_size=1', 'page_size=100', 'page=9007199254740991', 'nonsense=1&page=1']) {
    assert.equal((await tenant.api.get(`/v1/fields?${query}`)).status, 200, query);
  }
  const { json } = await tenant.api.get('/v1/fields?page_size=5&page_size=3');
  assert.equal(json.pagination.page_size, 3);
  const beyond = await tenant.api.get('/v1/fields?page=9007199254740991&page_size=100');
  assert.deepEqual([beyond.json.data, beyond.json.pagination.has_more], [[], false]);
});

test('booleans are true, false, 1 and 0 in either case', async () => {
  for (const value of ['true', 'TRUE', '1', 'false', 'False', '0']) {
    assert.equal((await tenant.api.get(`/v1/fields?is_active=${value}`)).status, 200, value);
  }
});

test('every violation of path, query and body is told at once', async () => {
  const app = await startTinyApp([
    openOperation(
      {
        method: 'POST',
        path: '/things/{id}',
        params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
        query: Type.Object({ page: Type.Optional(Type.Integer()), on: Type.Boolean() }),
        body: Type.Object({ name: Type.String(), 'a/b': Type.Optional(Type.Array(Type.Integer())) }),
      },
      async () => ({}),
    ),
  ]);
  try {
    const answer = await send(app.base_url, {
      method: 'POST',
      path: '/things/0?page=x',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a\0', 'a/b': [1, 2.5, 'three'] }),
    });
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), [
      '/id greater_than_equal',
      '/page int_parsing',
      '/on missing',
      '/name string_unicode',
      '/a~1b/1 int_from_float',
      '/a~1b/2 int_parsing',
    ]);
  } finally {
    await app.stop();
  }
});

test('a bare plus in a query is a space and finds nothing; percent and underscore mean themselves', async () => {
  const { id: instance_id, slug } = tenant.instance;
  const addresses = ['a+b', 'a_b', 'a-b'].map((local) => `${local}@${slug}.sandbox.test`);
  await service.db.query(
    `insert into senders (instance_id, domain_id, name, email_address)
     select $1, (select id from domains where instance_id = $1 limit 1), '100% ' || address, address
     from unnest($2::text[]) as address`,
    [instance_id, addresses],
  );
  const found = async (query: string): Promise<string[]> => {
    const { status, json } = await tenant.api.get(`/v1/senders?${query}`);
    assert.equal(status, 200);
    return json.data.map(({ email_address }: { email_address: string }) => email_address);
  };
  assert.deepEqual(await found('email=a+b'), []);
  assert.deepEqual(await found('email=a%2BB'), addresses.slice(0, 1));
  assert.deepEqual(await found('email=a_b'), addresses.slice(1, 2));
  assert.deepEqual(await found('email=a%25b'), []);
  assert.deepEqual(await found('name=100%25'), addresses);
  assert.deepEqual(await found('name=1_0'), []);
});

test('text that no database holds is a 422 string_unicode, wherever it stands', async () => {
  const field = '"field_key":"OK","type":"text"';
  for (const [body, expected] of [
    [`{"name":"a\\u0000b",${field}}`, ['/name string_unicode']],
    [`{"name":"\\ud800",${field}}`, ['/name string_unicode']],
    [`{"name":"x\\udc00\\ud800",${field}}`, ['/name string_unicode']],
    [`{"name":"x",${field},"config":{"a\\u0000":1}}`, ['/config string_unicode']],
    [`{"name":"x",${field},"config":{"a":["\\ud800"]}}`, ['/config/a/0 string_unicode']],
  ] as const) {
    const answer = await tenant.api.post('/v1/fields', body);
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), expected);
  }
  const whole = await tenant.api.post('/v1/fields', `{"name":"\\ud83d\\ude00",${field}}`);
  assert.deepEqual([whole.status, whole.json.name], [201, '😀']);
});

test('a body too deep or of too many values is a 400', async () => {
  for (const config of ['['.repeat(40) + ']'.repeat(40), `[${'0,'.repeat(40_000)}0]`]) {
    const answer = await tenant.api.post('/v1/fields', `{"config":${config}}`);
    assertProblem(answer, 'bad_request');
  }
});

test('a path parameter of any length is judged by its operation', async () => {
  const answer = await tenant.api.get(`/v1/fields/${'7'.repeat(3000)}`);
  assertProblem(answer, 'validation_error');
  assert.deepEqual(violations(answer), ['/id finite_number']);
});
