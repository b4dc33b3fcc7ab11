import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Type } from 'typebox';
import { assertProblem } from './problems.fixture.ts';
import { exchange, openSocket, requestBytes, send } from './raw-http.fixture.ts';
import { openOperation, startTinyApp, type TinyApp } from './tiny-app.fixture.ts';

let app: TinyApp;
before(async () => {
  const echo = openOperation({ method: 'POST', path: '/echo', body: Type.Object({}) }, async () => ({}));
  const timeouts = { headers_ms: 200, request_ms: 400, check_ms: 50 };
  app = await startTinyApp([echo], { timeouts });
});
after(async () => await app.stop());

const started = (headers: Record<string, string>): Buffer =>
  requestBytes({
    method: 'POST',
    path: '/echo',
    headers: { 'content-type': 'application/json', ...headers },
  });

test('a body that does not come is a 408', async () => {
  for (const headers of [{ 'content-length': '100' }, { 'transfer-encoding': 'chunked' }]) {
    const answer = await exchange(app.base_url, started(headers));
    assert.ok(answer);
    assertProblem(answer, 'request_timeout');
    assert.equal(answer.header('connection'), 'close');
  }
});

test('a body that comes byte by byte is cut off all the same', async () => {
  const drip = started({ 'content-length': '100000' });
  let timer: NodeJS.Timeout | undefined;
  const answer = await exchange(app.base_url, drip, {
    more: (socket) => {
      timer = setInterval(() => socket.write(' '), 20);
      socket.on('close', () => clearInterval(timer));
    },
  });
  clearInterval(timer);
  assert.ok(answer);
  assertProblem(answer, 'request_timeout');
});

test('headers that do not end are a 408', async () => {
  const answer = await exchange(app.base_url, 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ');
  assert.ok(answer);
  assertProblem(answer, 'request_timeout');
});

test('a refused body that never arrives closes the connection without a second answer', async () => {
  const socket = openSocket(app.base_url);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.write(started({ 'content-length': '100000000' }));
  await once(socket, 'close');
  assert.match(received, /^HTTP\/1\.1 413 /);
  assert.equal(received.split('HTTP/1.1').length, 2, received);
});

test('slow clients are logged in one line each, without an alarm, and do not disturb others', async () => {
  const answer = await send(app.base_url, {
    method: 'POST',
    path: '/echo',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(answer.status, 200);
  assert.ok(app.logged.length >= 4);
  assert.deepEqual(
    app.logged.filter((line) => JSON.parse(line).level !== 'info'),
    [],
  );
});
