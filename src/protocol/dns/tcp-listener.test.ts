import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { decode, streamEncode } from 'dns-packet';
import { createAuthoritativeServer } from './authoritative-server.ts';
import { createMemoryZone } from './memory-zone.fixture.ts';
import type { TcpLimits } from './tcp-listener.ts';
import type { Zone } from './zone.ts';

const zone = createMemoryZone('chasqui.test', {
  'mx.chasqui.test': [{ type: 'A', ttl: 60, records: ['192.0.2.2'] }],
  'big.chasqui.test': [{ type: 'TXT', ttl: 60, records: ['x'.repeat(30_000)] }],
});

async function serve(t: TestContext, tcp: Partial<TcpLimits> = {}, served: Zone = zone): Promise<number> {
  const server = createAuthoritativeServer({ zone: served, tcp });
  t.after(async () => await server.stop());
  return (await server.start({ host: '127.0.0.1', port: 0 })).port;
}

async function open(t: TestContext, port: number, allowHalfOpen = false): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  t.after(() => socket.destroy());
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

function frame(id: number, name = 'mx.chasqui.test', type: 'A' | 'TXT' = 'A'): Buffer {
  return streamEncode({ id, type: 'query', questions: [{ name, type }] });
}

/** The ids of the next answers, in the order in which they arrive. */
async function readIds(socket: Socket, count: number): Promise<number[]> {
  const ids: number[] = [];
  let received = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received = Buffer.concat([received, chunk as Buffer]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      ids.push(decode(received.subarray(2, end)).id ?? -1);
      received = received.subarray(end);
    }
    if (ids.length >= count) break;
  }
  return ids;
}

async function closedWithin(socket: Socket, milliseconds: number): Promise<void> {
  socket.resume();
  await once(socket, 'close', { signal: AbortSignal.timeout(milliseconds) });
}

test('pipelined queries are all answered, however the bytes are cut', async (t) => {
  const socket = await open(t, await serve(t));
  socket.setNoDelay(true);
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  const bytes = Buffer.concat(ids.map((id) => frame(id)));
  const reading = readIds(socket, ids.length);
  for (let offset = 0; offset < bytes.length; offset += 17) socket.write(bytes.subarray(offset, offset + 17));
  assert.deepEqual(
    (await reading).sort((a, b) => a - b),
    ids,
  );
});

test('a slow lookup does not hold up the queries behind it', async (t) => {
  const held = Promise.withResolvers<undefined>();
  const slow: Zone = {
    ...zone,
    lookup: async (name) => await (name.startsWith('slow.') ? held.promise : zone.lookup(name)),
  };
  const socket = await open(t, await serve(t, {}, slow));
  socket.write(Buffer.concat([frame(1, 'slow.chasqui.test'), frame(2)]));
  assert.deepEqual(await readIds(socket, 1), [2]);
  held.resolve(undefined);
  assert.deepEqual(await readIds(socket, 1), [1]);
});

test('no more than the allowed number of queries is looked up at once', async (t) => {
  let running = 0;
  let most = 0;
  const counting: Zone = {
    ...zone,
    lookup: async (name) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return await zone.lookup(name);
    },
  };
  const socket = await open(t, await serve(t, { max_pipelined: 4 }, counting));
  const reading = readIds(socket, 50);
  socket.write(Buffer.concat(Array.from({ length: 50 }, (_, index) => frame(index))));
  assert.equal((await reading).length, 50);
  assert.equal(most, 4);
});

test('a client that closes its side still gets its answers, then the connection ends', async (t) => {
  const socket = await open(t, await serve(t), true);
  socket.end(Buffer.concat([frame(1), frame(2)]));
  assert.deepEqual(await readIds(socket, 2), [1, 2]);
  socket.on('end', () => socket.end());
  await closedWithin(socket, 10_000);
});

test('a connection ends when no whole query comes in time, even if bytes trickle', async (t) => {
  const socket = await open(t, await serve(t, { idle_timeout_ms: 200 }));
  const trickle = setInterval(() => socket.write(Buffer.from([0])), 40);
  t.after(() => clearInterval(trickle));
  socket.write(Buffer.from([0, 60]));
  await closedWithin(socket, 10_000);
});

/** Connects until one connection is admitted and answered. */
async function answeredInTheEnd(t: TestContext, port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = await open(t, port);
    socket.write(frame(10));
    if ((await readIds(socket, 1)).length === 1) return;
    await setTimeout(20);
  }
  assert.fail('no connection was admitted');
}

test('a client that never reads is cut off and gives up its place', async (t) => {
  let looked_up = 0;
  const counting: Zone = {
    ...zone,
    lookup: async (name) => {
      looked_up += 1;
      return await zone.lookup(name);
    },
  };
  const port = await serve(t, { idle_timeout_ms: 300, max_connections: 1 }, counting);
  const socket = await open(t, port);
  socket.pause();
  socket.write(Buffer.concat(Array.from({ length: 2000 }, (_, id) => frame(id, 'big.chasqui.test', 'TXT'))));
  await answeredInTheEnd(t, port);
  assert.ok(looked_up < 1_000, `${looked_up} answers of 30 kB wait for nobody`);
});

test('a query over the size limit, or shorter than a header, ends the connection', async (t) => {
  const port = await serve(t, { max_query_bytes: 512 });
  for (const prefix of [
    [0x02, 0x01],
    [0xff, 0xff],
    [0, 0],
    [0, 11],
  ]) {
    const socket = await open(t, port);
    socket.write(Buffer.from(prefix));
    await closedWithin(socket, 10_000);
  }
});

test('connections beyond the limits are closed at once and others go on', async (t) => {
  for (const limits of [{ max_connections: 2 }, { max_connections_per_source: 2 }]) {
    const port = await serve(t, limits);
    const [first] = [await open(t, port), await open(t, port)];
    const third = await open(t, port);
    await closedWithin(third, 10_000);
    first.write(frame(9));
    assert.deepEqual(await readIds(first, 1), [9]);
    first.destroy();
    await once(first, 'close');
    await answeredInTheEnd(t, port);
  }
});
