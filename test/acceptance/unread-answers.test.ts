import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { Download } from '../../src/base/http/operation.ts';
import { waitFor } from '../support/wait-for.ts';
import { openSocket, requestBytes } from './raw-http.fixture.ts';
import { openOperation, startTinyApp, type TinyApp } from './tiny-app.fixture.ts';

const unread_ms = 400;
const piece = Buffer.alloc(64 * 1024, 'x');
const files: Readable[] = [];

const endless = openOperation({ path: '/endless' }, async () => {
  const open = async (): Promise<Readable> => {
    const file = new Readable({ read: () => void file.push(piece) });
    files.push(file);
    return file;
  };
  return new Download({ content_type: 'application/octet-stream', file_name: 'x', open });
});
const slow = openOperation({ path: '/slow' }, async () => {
  await delay(3 * unread_ms);
  return { slow: true };
});
const large = openOperation(
  { path: '/large', success: { status: 200, description: 'Much.', schema: Type.Any() } },
  async () => 'x'.repeat(32 * 1024 * 1024),
);
/** A first part that no system takes whole, and an end after a while. */
const firstPart = 16 * 1024 * 1024;
const halting = openOperation({ path: '/halting' }, async () => {
  async function* parts(): AsyncGenerator<Buffer> {
    for (let sent = 0; sent < firstPart; sent += piece.length) yield piece;
    await delay(4 * unread_ms);
    yield piece;
  }
  return new Download({
    content_type: 'application/octet-stream',
    file_name: 'x',
    open: async () => Readable.from(parts(), { objectMode: false }),
  });
});

let app: TinyApp;
before(async () => {
  const timeouts = { headers_ms: 20_000, request_ms: 20_000, check_ms: 5_000, unread_ms };
  app = await startTinyApp([endless, slow, large, halting], { timeouts });
});
after(async () => await app.stop());

/** A client that asks and reads only when it is told to. */
function ask(path: string): Socket {
  const socket = openSocket(app.base_url);
  socket.pause();
  socket.write(requestBytes({ path }));
  return socket;
}

test('a download that its client does not read ends, and its file is closed', async () => {
  const socket = ask('/endless');
  const file = await waitFor(() => files.at(-1), { what: 'the file' });
  await waitFor(() => file.destroyed, { what: 'the end of the file', timeout_ms: 20 * unread_ms });
  socket.destroy();
});

test('an answer that its client does not read ends too', async () => {
  const beforeThis = await app.connections();
  const socket = ask('/large');
  await waitFor(async () => (await app.connections()) > beforeThis, { what: 'the connection' });
  await waitFor(async () => (await app.connections()) === beforeThis, {
    what: 'its end',
    timeout_ms: 30_000,
  });
  let received = 0;
  socket.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
  await once(socket, 'close');
  assert.ok(received > 0 && received < 32 * 1024 * 1024, `${received} bytes`);
});

test('a download that is read slowly goes on', async () => {
  const beforeThis = files.length;
  const socket = ask('/endless');
  let received = 0;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    socket.pause();
  });
  socket.pause();
  for (const end = performance.now() + 6 * unread_ms; performance.now() < end;) {
    // A megabyte, so that the system opens its window again.
    for (const until = received + 1024 * 1024; received < until;) {
      socket.resume();
      await delay(1);
    }
    await delay(unread_ms / 4);
  }
  assert.equal(files[beforeThis]?.destroyed, false);
  assert.ok(received > 6 * 1024 * 1024, `${received} bytes`);
  socket.destroy();
});

test('an answer that takes its time is waited for', async () => {
  const response = await fetch(`${app.base_url}/slow`);
  assert.deepEqual(await response.json(), { slow: true });
});

test('an answer that halts after its client had fallen behind is waited for', async () => {
  const socket = ask('/halting');
  // Long enough for the server to have seen that part of the answer waits.
  await delay(unread_ms / 2);
  let received = 0;
  let end = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    end = chunk.subarray(-7).toString('latin1');
  });
  socket.resume();
  await waitFor(() => end.endsWith('0\r\n\r\n'), { what: 'the end of the answer', timeout_ms: 30_000 });
  assert.ok(received > firstPart, `${received} bytes`);
  socket.destroy();
});
