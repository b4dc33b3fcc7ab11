import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startDnsServer } from '../../../../test/support/dns-server.ts';
import { holdProcessTime } from '../../../../test/support/hold-process-time.ts';
import { createLookupCache } from './lookup-cache.ts';
import { createRecordLookup } from './record-lookup.ts';

async function serve(t: TestContext, maxEntries = 100) {
  const server = await startDnsServer();
  t.after(server.stop);
  const time = holdProcessTime(t);
  const lookUp = createRecordLookup({ servers: [server.address], timeout_ms: 20_000 });
  const cached = createLookupCache(lookUp, { max_entries: maxEntries });
  return { server, time, cached };
}

test('an answer is kept for as long as it says', async (t) => {
  const { server, time, cached } = await serve(t);
  server.set('example.test', 'A', ['192.0.2.1'], { ttl: 120 });
  for (const wait of [0, 60_000, 59_999]) {
    time.advance(wait);
    assert.equal((await cached('EXAMPLE.test', 'A')).kind, 'found');
  }
  assert.equal(server.queries.length, 1);
  time.advance(1);
  await cached('example.test', 'A');
  assert.equal(server.queries.length, 2);
});

test('very short and very long times are brought within bounds', async (t) => {
  const { server, time, cached } = await serve(t);
  server.set('short.test', 'A', ['192.0.2.1'], { ttl: 0 });
  server.set('long.test', 'A', ['192.0.2.1'], { ttl: 604_800 });
  await cached('short.test', 'A');
  await cached('short.test', 'A');
  await cached('long.test', 'A');
  assert.equal(server.queriesFor('short.test').length, 1);
  time.advance(5000);
  await cached('short.test', 'A');
  assert.equal(server.queriesFor('short.test').length, 2);
  time.advance(3600_000);
  await cached('long.test', 'A');
  assert.equal(server.queriesFor('long.test').length, 2);
});

test('absence is kept for a minute at most, an error for ten seconds', async (t) => {
  const { server, time, cached } = await serve(t);
  server.fail('broken.test', '*', 'SERVFAIL');
  await cached('nothing.test', 'MX');
  await cached('broken.test', 'MX');
  time.advance(9999);
  assert.equal((await cached('broken.test', 'MX')).kind, 'error');
  assert.equal(server.queriesFor('broken.test').length, 1);
  server.recover();
  time.advance(1);
  assert.equal((await cached('broken.test', 'MX')).kind, 'missing');
  server.set('nothing.test', 'MX', ['10 mx.test']);
  time.advance(49_999);
  assert.equal((await cached('nothing.test', 'MX')).kind, 'missing');
  time.advance(1);
  assert.equal((await cached('nothing.test', 'MX')).kind, 'found');
});

test('callers at the same time share one question, a failing one too', async (t) => {
  const { server, cached } = await serve(t);
  server.set('example.test', 'MX', ['10 mx.test']);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => await cached('example.test', 'MX')),
  );
  assert.ok(answers.every(({ kind }) => kind === 'found'));
  assert.equal(server.queries.length, 1);
});

test('a look-up that throws is neither kept nor shared with later callers', async () => {
  let calls = 0;
  const cached = createLookupCache(async () => {
    calls += 1;
    throw new Error(`bug ${calls}`);
  });
  await assert.rejects(cached('example.test', 'A'), /bug 1/);
  await assert.rejects(cached('example.test', 'A'), /bug 2/);
});

test('the least recently used make room', async (t) => {
  const { server, cached } = await serve(t, 2);
  for (const name of ['one.test', 'two.test', 'three.test']) server.set(name, 'A', ['192.0.2.1']);
  await cached('one.test', 'A');
  await cached('two.test', 'A');
  await cached('one.test', 'A');
  await cached('three.test', 'A');
  await cached('one.test', 'A');
  assert.equal(server.queriesFor('one.test').length, 1);
  await cached('two.test', 'A');
  assert.equal(server.queriesFor('two.test').length, 2);
});
