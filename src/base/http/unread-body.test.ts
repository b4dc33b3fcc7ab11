import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { TokenBucket } from '../../protocol/token-bucket.ts';
import { discardUnread } from './unread-body.ts';

const mebibyte = 1024 * 1024;

test('refused bodies are read at one rate for all of them', async (t) => {
  const began = performance.now();
  const pace = new TokenBucket({ per_second: mebibyte, burst: mebibyte }, began);
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    sockets.push(request.socket);
    discardUnread(request, pace);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const bytes = 64 * mebibyte;
  for (let clients = 0; clients < 2; clients += 1) {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    client.resume();
    client.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${bytes}\r\n\r\n`);
    client.write(Buffer.alloc(bytes));
  }
  await delay(1_500);
  const read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  const seconds = (performance.now() - began) / 1000;
  assert.equal(sockets.length, 2);
  assert.ok(read > mebibyte / 2, `${read} bytes is nothing`);
  // Each connection may be some pieces ahead.
  assert.ok(read < (seconds + 1) * mebibyte + 2 * 256 * 1024, `${read} bytes in ${seconds} s`);
});

test('a client that asked to close reads the answer, though it is still sending its body', async (t) => {
  const server = createServer((request, response) => {
    request.once('data', () => {
      discardUnread(request);
      response.end('refused');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let answer = '';
  client.setEncoding('utf8').on('data', (text: string) => (answer += text));
  const pieces = 20;
  client.write(
    `POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${pieces * mebibyte}\r\n\r\n`,
  );
  client.write(Buffer.alloc(mebibyte));
  // All of the answer is there, and the server has closed its half.
  await once(client, 'end');
  assert.match(answer, /^HTTP\/1\.1 200 .*refused$/s);
  const closed = once(client, 'close');
  for (let sent = 1; sent < pieces; sent += 1) {
    if (!client.write(Buffer.alloc(mebibyte))) await once(client, 'drain');
  }
  client.end();
  await closed;
});
