import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createFairLimiter } from './fair-limiter.ts';

/** Work that ends when the test says so. */
function bed(options = { concurrency: 2, per_owner: 1, max_waiting: 10 }) {
  const turns = createFairLimiter(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = async (owner: number, name: string): Promise<string> =>
    await turns(owner, async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
      return name;
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await turn();
  };
  return { turns, ask, end, begun };
}

test('one owner has its share under way, whatever it asks for, and another is not kept waiting', async () => {
  const { ask, end, begun } = bed();
  const greedy = ['a', 'b', 'c'].map(async (name) => await ask(1, name));
  const other = ask(2, 'x');
  assert.deepEqual(begun, ['a', 'x']);
  await end('x');
  assert.equal(await other, 'x');
  assert.deepEqual(begun, ['a', 'x'], 'the place that is free is not for who has one');
  for (const name of ['a', 'b', 'c']) await end(name);
  assert.deepEqual(await Promise.all(greedy), ['a', 'b', 'c']);
});

test('the owner that used less time of late comes first', async () => {
  const { ask, end, begun } = bed({ concurrency: 1, per_owner: 1, max_waiting: 10 });
  const first = ask(1, 'a');
  const waiting = [ask(1, 'b'), ask(2, 'x')];
  await new Promise((resolve) => void setTimeout(resolve, 5));
  await end('a');
  await first;
  assert.deepEqual(begun, ['a', 'x']);
  await end('x');
  await end('b');
  await Promise.all(waiting);
});

test('a failed job frees its place, and too many jobs of one owner are refused', async () => {
  const { turns, ask, end, begun } = bed({ concurrency: 1, per_owner: 1, max_waiting: 1 });
  await assert.rejects(
    turns(1, async () => {
      throw new Error('a bug');
    }),
    /a bug/,
  );
  const under = ask(1, 'a');
  const waits = ask(1, 'b');
  await assert.rejects(ask(1, 'c'), { code: 'rate_limit_exceeded' });
  const other = ask(2, 'x');
  for (const name of ['a', 'x', 'b']) await end(name);
  await Promise.all([under, waits, other]);
  assert.equal(begun.length, 3);
});
