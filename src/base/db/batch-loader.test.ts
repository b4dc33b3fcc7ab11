import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createBatchLoader } from './batch-loader.ts';

/** Loads in its own time: each call of `load` waits until it is answered. */
function bed({ most_keys = 1_000, interval_ms = 0 } = {}) {
  const loads: { keys: number[]; answer: (values: string[]) => void; fail: (error: Error) => void }[] = [];
  const find = createBatchLoader<number, string>(
    async (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      loads.push({ keys, answer: resolve, fail: reject });
      return await promise;
    },
    most_keys,
    interval_ms,
  );
  const answer = (index: number): void => loads[index]?.answer(loads[index].keys.map((key) => `<${key}>`));
  return { find, loads, answer, keys: () => loads.map(({ keys }) => keys.length) };
}
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('those of one turn share a query, and each gets its own answer', async () => {
  const { find, loads, answer } = bed();
  const found = Promise.all(numbers(5).map(find));
  assert.equal(loads.length, 0);
  await turn();
  assert.deepEqual(loads[0]?.keys, numbers(5));
  answer(0);
  assert.deepEqual(await found, ['<0>', '<1>', '<2>', '<3>', '<4>']);
});

test('many leave before the turn is over; those behind them gather until they are back', async () => {
  const { find, answer, keys } = bed();
  const found = Promise.all(numbers(60).map(find));
  assert.deepEqual(keys(), [24]);
  await turn();
  assert.deepEqual(keys(), [24]);
  answer(0);
  await turn();
  assert.deepEqual(keys(), [24, 36]);
  answer(1);
  assert.equal((await found)[59], '<59>');
});

test('where nobody waits for the answer all of a turn leave together, at most so many at once', async () => {
  const { find, answer, keys } = bed({ interval_ms: 1, most_keys: 40 });
  const found = Promise.all(numbers(60).map(find));
  await turn();
  assert.deepEqual(keys(), [40]);
  answer(0);
  while (keys().length < 2) await turn();
  assert.deepEqual(keys(), [40, 20]);
  answer(1);
  await found;
});

test('a query that fails does so for those who asked, and the next one is another', async () => {
  const { find, loads, answer } = bed();
  const failing = Promise.allSettled([find(1), find(2)]);
  await turn();
  const found = find(3);
  loads[0]?.fail(new Error('no database'));
  assert.deepEqual(
    (await failing).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await turn();
  answer(1);
  assert.equal(await found, '<3>');
});
