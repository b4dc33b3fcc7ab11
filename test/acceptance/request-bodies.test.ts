import assert from 'node:assert/strict';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertProblem, violations } from './problems.fixture.ts';
import { exchange, openSocket, requestBytes, send, type RawAnswer } from './raw-http.fixture.ts';

const limit = 1024 * 1024;
let service: TestService;
let tenant: Tenant;
let identity: Record<string, string>;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  identity = {
    authorization: `Bearer ${tenant.api_key}`,
    'x-instance-slug': tenant.instance.slug,
    'content-type': 'application/json',
  };
});
after(async () => await service.stop());

async function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return await send(service.base_url, {
    method: 'POST',
    path: '/v1/fields',
    headers: { ...identity, ...headers },
    body,
  });
}

function assertTooLarge(answer: RawAnswer | undefined): void {
  assert.ok(answer, 'the connection ended without an answer');
  assertProblem(answer, 'request_too_large');
  assert.equal(answer.json.max_bytes, limit);
}

const field = (key: string): string => JSON.stringify({ name: 'Body', field_key: key, type: 'text' });
const gzip = { 'content-encoding': 'gzip' };

test('a body of the limit is read, one byte more is a 413 that tells the limit', async () => {
  const fitting = field('FITTING').padEnd(limit, ' ');
  assert.equal((await post(fitting)).status, 201);
  assertTooLarge(await post(`${fitting} `));
  assertTooLarge(await post(`${fitting} `, { 'content-type': 'text/plain' }));
});

test('a body without Content-Length is counted as it arrives', async () => {
  const chunk = `10000\r\n${' '.repeat(0x1_0000)}\r\n`;
  const head = requestBytes({
    method: 'POST',
    path: '/v1/fields',
    headers: { ...identity, 'transfer-encoding': 'chunked' },
  });
  const more = (count: number) => ({
    more: (socket: ReturnType<typeof openSocket>) =>
      socket.write(`${chunk.repeat(count)}2\r\n{}\r\n0\r\n\r\n`),
  });
  const fitting = await exchange(service.base_url, head, more(15));
  assert.equal(fitting?.status, 422);
  assertTooLarge(await exchange(service.base_url, head, more(16)));
});

test('a client that is still sending when it is refused reads its 413, and its connection stays usable', async () => {
  const socket = openSocket(service.base_url);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  const huge = Buffer.alloc(24 * limit, ' ');
  socket.write(requestBytes({ method: 'POST', path: '/v1/fields', headers: identity, body: huge }));
  socket.write(requestBytes({ path: '/v1/fields', headers: identity }));
  await waitFor(() => received.includes('HTTP/1.1 200'), { what: () => received.slice(0, 500) });
  assert.match(received, /^HTTP\/1\.1 413 /);
  socket.destroy();
});

test('a client that never ends what was refused is cut off in the end', async () => {
  const socket = openSocket(service.base_url);
  const closed = Promise.withResolvers<void>();
  socket.on('close', () => closed.resolve());
  socket.on('data', () => undefined);
  socket.write(
    requestBytes({ method: 'POST', path: '/v1/fields', headers: { 'transfer-encoding': 'chunked' } }),
  );
  const chunk = Buffer.from(`100000\r\n${' '.repeat(limit)}\r\n`);
  const pump = (error?: Error | null): void => {
    if (!error) socket.write(chunk, pump);
  };
  pump();
  await closed.promise;
});

test('gzip is read, and counted both as transferred and as inflated', async () => {
  assert.equal((await post(gzipSync(field('ZIPPED')), gzip)).status, 201);
  assert.equal((await post(gzipSync(field('XZIPPED')), { 'content-encoding': 'X-GZIP' })).status, 201);
  assert.equal((await post(field('IDENTITY'), { 'content-encoding': 'identity' })).status, 201);
  assert.equal((await post(gzipSync(field('ZIPPED_FULL').padEnd(limit, ' ')), gzip)).status, 201);
  assertTooLarge(await post(gzipSync(' '.repeat(limit + 1)), gzip));
  assertTooLarge(await post(gzipSync(Buffer.alloc(limit + 1), { level: 0 }), gzip));
});

test('gzip without Content-Length is counted as it arrives, also when it inflates to nothing', async () => {
  const empty = gzipSync('');
  const members = Buffer.concat(Array.from({ length: Math.floor(0x1_0000 / empty.length) }, () => empty));
  const chunk = Buffer.concat([
    Buffer.from(`${members.length.toString(16)}\r\n`),
    members,
    Buffer.from('\r\n'),
  ]);
  const head = requestBytes({
    method: 'POST',
    path: '/v1/fields',
    headers: { ...identity, ...gzip, 'transfer-encoding': 'chunked' },
  });
  const more = (count: number) => ({
    more: (socket: ReturnType<typeof openSocket>) =>
      socket.write(Buffer.concat([...Array.from({ length: count }, () => chunk), Buffer.from('0\r\n\r\n')])),
  });
  assert.equal((await exchange(service.base_url, head, more(15)))?.status, 422);
  assertTooLarge(await exchange(service.base_url, head, more(17)));
});

test('a gzip bomb is refused without being inflated', async () => {
  const part = gzipSync(Buffer.alloc(32 * limit));
  const bomb = Buffer.concat(Array.from({ length: 30 }, () => part));
  assert.ok(bomb.length < limit, 'the bomb itself is within the limit');
  const beforeBytes = process.memoryUsage().rss;
  let most = 0;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 1);
  const started = process.cpuUsage();
  assertTooLarge(await post(bomb, gzip));
  const { user, system } = process.cpuUsage(started);
  clearInterval(sampler);
  most = Math.max(most, process.memoryUsage().rss);
  assert.ok(most - beforeBytes < 48 * limit, `grew by ${most - beforeBytes} bytes`);
  // Some 25 ms; to inflate all of it takes more than a second.
  assert.ok(user + system < 1_000_000, `took ${user + system} µs`);
});

test('other media types and encodings are a 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/problem+json',
    'nonsense',
    '',
  ]) {
    assertProblem(await post(field('TYPE'), { 'content-type': type }), 'unsupported_media_type');
  }
  for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'nonsense']) {
    assertProblem(await post(field('CODED'), { 'content-encoding': encoding }), 'unsupported_media_type');
  }
  const { 'content-type': _type, ...untyped } = identity;
  const request = { method: 'POST', path: '/v1/fields', headers: untyped, body: field('UNTYPED') };
  assertProblem(await send(service.base_url, request), 'unsupported_media_type');
});

test('application/json is recognised with parameters and in either case', async () => {
  for (const [index, type] of [
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8"',
  ].entries()) {
    assert.equal((await post(field(`TYPED_${index}`), { 'content-type': type })).status, 201, type);
  }
});

test('a body that is not JSON in UTF-8 is a 400', async () => {
  const invalid = [
    '{',
    '{"name":}',
    "{'name':1}",
    'nonsense',
    '{"a":1}{"a":1}',
    '{"a":NaN}',
    ' ',
    Buffer.from([0x22, 0xff, 0x22]),
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    Buffer.from('"ñ"', 'latin1'),
    Buffer.from('{}', 'utf16le'),
  ];
  for (const body of invalid) assertProblem(await post(body), 'bad_request', { detail: /JSON/ });
});

test('broken gzip is a 400', async () => {
  const whole = gzipSync(field('BROKEN'));
  const damaged = Buffer.from(whole);
  damaged[damaged.length - 6] = (damaged.at(-6) ?? 0) ^ 0xff;
  for (const body of [Buffer.from('not gzip'), whole.subarray(0, -10), whole.subarray(0, 5), damaged]) {
    assertProblem(await post(body, gzip), 'bad_request', { detail: /gzip/ });
  }
});

test('no body at all is a 422 missing at the root', async () => {
  const { 'content-type': _type, ...untyped } = identity;
  for (const answer of [
    await post(''),
    await post(gzipSync(''), gzip),
    await send(service.base_url, { method: 'POST', path: '/v1/fields', headers: identity }),
    await send(service.base_url, { method: 'POST', path: '/v1/fields', headers: untyped }),
    await send(service.base_url, { method: 'POST', path: '/v1/fields', headers: untyped, body: '' }),
  ]) {
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), [' missing']);
  }
});

test('a byte order mark, poisoned prototypes and repeated members do no harm', async () => {
  assert.equal((await post(`\uFEFF${field('MARKED')}`)).status, 201);
  const poisoned = `{"__proto__":{"type":"text"},"constructor":{"prototype":{"type":"text"}},"name":"x","field_key":"P"}`;
  assert.deepEqual(violations(await post(poisoned)), ['/type missing']);
  const repeated = await post('{"name":"a","name":"b","field_key":"TWICE","type":"text"}');
  assert.deepEqual([repeated.status, repeated.json.name], [201, 'b']);
});

test('a request without credentials is refused before its body is read', async () => {
  const headers = { 'content-type': 'text/plain', 'content-length': String(100 * limit) };
  const request = requestBytes({ method: 'POST', path: '/v1/fields', headers });
  const answer = await exchange(service.base_url, request);
  assert.ok(answer);
  assertProblem(answer, 'unauthorized');
});

test('a client that goes away in the middle of its body does not disturb others or raise an alarm', async () => {
  const seen = service.logged.length;
  for (const headers of [{}, gzip]) {
    const socket = openSocket(service.base_url);
    const announced = { ...identity, ...headers, 'content-length': '1000', expect: '100-continue' };
    socket.write(requestBytes({ method: 'POST', path: '/v1/fields', headers: announced }));
    await once(socket, 'data');
    socket.write(gzipSync(field('GONE')).subarray(0, 20), () => socket.destroy());
  }
  const lines = await waitFor(() => {
    const found = service.logged.slice(seen).map((line) => JSON.parse(line));
    return found.length >= 2 && found;
  });
  assert.deepEqual(
    lines.map(({ level, operation, status }) => [level, operation, status]),
    [
      ['info', 'create_field', 499],
      ['info', 'create_field', 499],
    ],
  );
  assert.equal((await post(field('STILL_HERE'))).status, 201);
});
