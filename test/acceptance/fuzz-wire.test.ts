import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createRandom } from './hostile-input.fixture.ts';
import { assertCivil } from './problems.fixture.ts';
import { exchange, requestBytes, send } from './raw-http.fixture.ts';

/** `FUZZ_SEED=… npm test -- fuzz` repeats a run. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 32);
const random = createRandom(seed);
let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

test('a request without a Host is refused in HTTP/1.1 and served in HTTP/1.0', async () => {
  const modern = await exchange(service.base_url, 'GET / HTTP/1.1\r\n\r\n');
  assert.equal(modern?.json.code, 'bad_request');
  const old = await exchange(service.base_url, 'GET /healthz HTTP/1.0\r\n\r\n');
  assert.equal(old?.status, 200);
  const docs = await exchange(service.base_url, 'GET /docs/ HTTP/1.0\r\n\r\n');
  assert.ok(docs);
  assertCivil(docs, 'docs in HTTP/1.0');
});

test('bytes that are not HTTP are answered with a problem or with nothing', { timeout: 30_000 }, async () => {
  const started = requestBytes({ method: 'POST', path: '/v1/fields', headers: { 'content-length': '100' } });
  const wrong = [
    'nonsense\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET / HTTP/9.9\r\n\r\n',
    'GET  / HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nhost x\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET nowhere HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET http://[::1 HTTP/1.1\r\nhost: x\r\n\r\n',
    'EHLO localhost\r\nMAIL FROM:<a@b.c>\r\n',
  ].map((text): Buffer => Buffer.from(text, 'latin1'));
  for (let n = 0; n < 150; n += 1) {
    const bytes = random.bytes(1 + Math.floor(random.next() * 300));
    wrong.push(
      bytes,
      Buffer.concat([started.subarray(0, Math.floor(random.next() * started.length)), bytes]),
    );
  }
  for (const bytes of wrong) {
    // The client ends its half of the connection; otherwise the server would rightly wait.
    const answer = await exchange(service.base_url, bytes, { more: (socket) => socket.end() });
    if (answer)
      assertCivil(answer, `${JSON.stringify(bytes.toString('latin1')).slice(0, 200)} (FUZZ_SEED=${seed})`);
  }
});

test('headers of ten megabytes are a 431 that their sender gets to read', async () => {
  for (const headers of [
    { 'x-long': 'x'.repeat(10_000_000) },
    Object.fromEntries(Array.from({ length: 100_000 }, (_none, index) => [`x-${index}`, 'x'.repeat(90)])),
    { cookie: 'x'.repeat(17_000) },
  ]) {
    const answer = await send(service.base_url, { headers });
    assert.equal(answer.json.code, 'request_header_fields_too_large');
    assertCivil(answer, 'long headers');
  }
});

test('after all that the service is well and has not logged a single error', async () => {
  assert.equal((await send(service.base_url, { path: '/readyz' })).status, 200);
  const alarms = service.logged.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level));
  assert.deepEqual(alarms, []);
});
