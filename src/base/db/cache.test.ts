import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdProcessTime } from '../../../test/support/hold-process-time.ts';
import { createCache } from './cache.ts';

/** A cache of five seconds whose loads are counted and answered by the test. */
function makeCache(load: (key: string) => Promise<string | undefined>, max_entries = 100) {
  const loads: string[] = [];
  const cache = createCache({
    load: async (key: string) => {
      loads.push(key);
      return await load(key);
    },
    ttl_ms: 5_000,
    max_entries,
  });
  return { cache, loads };
}

const echo = async (key: string): Promise<string> => `value of ${key}`;

test('a value is loaded once and then remembered until its time is over', async (t) => {
  const time = holdProcessTime(t);
  const { cache, loads } = makeCache(echo);
  assert.equal(await cache.get('a'), 'value of a');
  time.advance(4_999);
  assert.equal(await cache.get('a'), 'value of a');
  assert.equal(loads.length, 1);
  time.advance(1);
  await cache.get('a');
  assert.equal(loads.length, 2);
  time.advance(4_999);
  await cache.get('a');
  assert.equal(loads.length, 2);
});

test('callers who come together share one load', async () => {
  const answer = Promise.withResolvers<string>();
  const { cache, loads } = makeCache(async () => await answer.promise);
  const waiting = [cache.get('a'), cache.get('a'), cache.get('b')];
  answer.resolve('same');
  assert.deepEqual(await Promise.all(waiting), ['same', 'same', 'same']);
  assert.deepEqual(loads, ['a', 'b']);
});

test('absence is remembered too', async () => {
  const { cache, loads } = makeCache(async () => undefined);
  assert.equal(await cache.get('a'), undefined);
  assert.equal(await cache.get('a'), undefined);
  assert.equal(loads.length, 1);
});

test('a failed load reaches all who waited for it and is not remembered', async () => {
  const answers = [Promise.reject(new Error('lost')), Promise.resolve('found')];
  answers[0]?.catch(() => undefined);
  const { cache, loads } = makeCache(async () => await answers.shift());
  const together = await Promise.allSettled([cache.get('a'), cache.get('a')]);
  assert.deepEqual(
    together.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await cache.get('a'), 'found');
  assert.equal(loads.length, 2);
});

test('a failed load does not remove a newer value', async () => {
  const first = Promise.withResolvers<string>();
  const answers = [first.promise, Promise.resolve('newer')];
  const { cache, loads } = makeCache(async () => await answers.shift());
  const failing = cache.get('a');
  cache.forget('a');
  assert.equal(await cache.get('a'), 'newer');
  first.reject(new Error('lost'));
  await assert.rejects(failing);
  assert.equal(await cache.get('a'), 'newer');
  assert.equal(loads.length, 2);
});

test('a value that changed while it was being loaded is loaded again', async () => {
  const first = Promise.withResolvers<string>();
  const answers = [first.promise, Promise.resolve('after the change')];
  const { cache } = makeCache(async () => await answers.shift());
  const early = cache.get('a');
  cache.forget('a');
  first.resolve('before the change');
  assert.equal(await early, 'before the change');
  assert.equal(await cache.get('a'), 'after the change');
});

test('forget drops one key, clear drops all', async () => {
  const { cache, loads } = makeCache(echo);
  await Promise.all([cache.get('a'), cache.get('b')]);
  cache.forget('a');
  await Promise.all([cache.get('a'), cache.get('b')]);
  assert.deepEqual(loads, ['a', 'b', 'a']);
  cache.clear();
  await Promise.all([cache.get('a'), cache.get('b')]);
  assert.deepEqual(loads, ['a', 'b', 'a', 'a', 'b']);
});

test('no more entries are kept than allowed, the oldest go first', async () => {
  const { cache, loads } = makeCache(echo, 2);
  for (const key of ['a', 'b', 'c']) await cache.get(key);
  await cache.get('c');
  await cache.get('b');
  assert.deepEqual(loads, ['a', 'b', 'c']);
  await cache.get('a');
  assert.deepEqual(loads, ['a', 'b', 'c', 'a']);
});
