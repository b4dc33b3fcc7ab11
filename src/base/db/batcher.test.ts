import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createBatcher, lookUpEarly, type BatcherOptions } from './batcher.ts';

interface Run {
  items: number[];
  slot: number;
  answer: () => void;
  fail: (error: Error) => void;
}

/** Each run waits until the test answers it. */
function bed(options: Partial<BatcherOptions<number, string>> = {}) {
  const runs: Run[] = [];
  const { add, drain } = createBatcher<number, string>({
    max_items: 1_000,
    run: async (items, slot) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      runs.push({ items, slot, answer: () => resolve(items.map((item) => `<${item}>`)), fail: reject });
      return await promise;
    },
    ...options,
  });
  return { add, drain, runs, sizes: () => runs.map(({ items }) => items.length) };
}
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const storeLost = (): Error => Object.assign(new Error('the server is gone'), { code: '08006' });

test('those of one turn share a batch, and each gets its own result', async () => {
  const { add, runs } = bed();
  const results = Promise.all(numbers(5).map(add));
  assert.equal(runs.length, 0);
  await turn();
  assert.deepEqual(runs[0]?.items, numbers(5));
  runs[0]?.answer();
  assert.deepEqual(await results, ['<0>', '<1>', '<2>', '<3>', '<4>']);
});

test('enough of them leave before the turn is over; the rest gathers until they are back', async () => {
  const { add, runs, sizes } = bed({ early: lookUpEarly });
  const results = Promise.all(numbers(60).map(add));
  assert.deepEqual(sizes(), [24]);
  await turn();
  assert.deepEqual(sizes(), [24]);
  runs[0]?.answer();
  await turn();
  assert.deepEqual(sizes(), [24, 36]);
  runs[1]?.answer();
  assert.equal((await results)[59], '<59>');
});

test('a small batch waits for some iterations, a larger one only for the end of its own', async () => {
  const { add, runs, sizes } = bed({ linger: { fewest: 3, iterations: 4 } });
  const first = [add(0)];
  await turn();
  first.push(add(1));
  await turn();
  assert.deepEqual(sizes(), [], 'two wait');
  first.push(add(2));
  await turn();
  assert.deepEqual(sizes(), [3], 'three do not');
  runs[0]?.answer();
  await Promise.all(first);
  const lone = add(0);
  for (let iteration = 0; iteration < 4; iteration += 1) await turn();
  assert.deepEqual(sizes(), [3]);
  await turn();
  assert.deepEqual(sizes(), [3, 1], 'one alone waits for five');
  runs[1]?.answer();
  await lone;
});

test('a second batch leaves beside the first when it is large enough, on a slot of its own', async () => {
  const { add, runs, sizes } = bed({ slots: 2, early: { fewest: 8, share: 0 } });
  const results = Promise.all(numbers(12).map(add));
  await turn();
  assert.deepEqual(sizes(), [8], 'four are not worth a second one');
  const more = Promise.all(numbers(4).map(add));
  assert.deepEqual(sizes(), [8, 8]);
  assert.deepEqual(
    runs.map(({ slot }) => slot),
    [0, 1],
  );
  for (const run of runs) run.answer();
  await results;
  await more;
});

test('the more were waiting of late, the more leave together', async () => {
  const { add, runs, sizes } = bed({ early: { fewest: 8, share: 0.6 } });
  const first = Promise.all(numbers(100).map(add));
  assert.deepEqual(sizes(), [8]);
  runs[0]?.answer();
  await turn();
  runs[1]?.answer();
  await first;
  const second = Promise.all(numbers(40).map(add));
  assert.equal(runs.length, 2, 'none in the middle of the turn');
  await turn();
  assert.equal(sizes()[2], 40);
  runs[2]?.answer();
  await second;
});

test('a batch is bounded in number and bytes; a larger item gets its own batch', async () => {
  const { add, runs, sizes } = bed({ max_items: 3, max_bytes: 10, bytesOf: (item) => item });
  const results = Promise.all([20, 4, 4, 4, 1, 1, 1, 1].map(add));
  for (let index = 0; index < 4; index += 1) {
    await waitFor(() => runs[index] !== undefined, { what: `batch ${index}` });
    runs[index]?.answer();
  }
  await results;
  assert.deepEqual(sizes(), [1, 2, 3, 2]);
});

test('between the beginnings of two batches there is an interval, where one is asked for', async () => {
  const { add, runs } = bed({ interval_ms: 30 });
  const first = add(1);
  await turn();
  const began = performance.now();
  runs[0]?.answer();
  await first;
  const second = add(2);
  await waitFor(() => runs.length === 2, { what: 'the second batch' });
  assert.ok(performance.now() - began >= 25);
  runs[1]?.answer();
  await second;
});

test('a batch that fails does so for all of it, and the next one is another', async () => {
  const { add, runs } = bed();
  const failing = Promise.allSettled([add(1), add(2)]);
  await turn();
  const later = add(3);
  runs[0]?.fail(new Error('no'));
  assert.deepEqual(
    (await failing).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await turn();
  runs[1]?.answer();
  assert.equal(await later, '<3>');
});

test('a split batch fails only the item that cannot be stored', async () => {
  const { add } = createBatcher<number, number>({
    max_items: 100,
    on_failure: 'split',
    run: async (items) => {
      if (items.includes(13)) throw Object.assign(new Error('bad value'), { code: '22P02' });
      return items;
    },
  });
  const ends = await Promise.allSettled(numbers(40).map(add));
  const failed = ends.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  assert.deepEqual(failed, [13]);
});

test('a batch is not split when the store is out of reach', async () => {
  const { add, runs } = bed({ on_failure: 'split' });
  const ends = Promise.allSettled(numbers(10).map(add));
  await turn();
  runs[0]?.fail(storeLost());
  assert.ok((await ends).every(({ status }) => status === 'rejected'));
  assert.equal(runs.length, 1);
});

function retrying(within_ms: number) {
  const cut = new AbortController();
  const seen: string[] = [];
  const retry = {
    within_ms,
    signal: cut.signal,
    onFailure: () => void seen.push('failed'),
    onSuccess: () => void seen.push('stored'),
  };
  return { cut, seen, ...bed({ retry }) };
}

test('a batch is run again until the store is there, once for all of its items', async () => {
  const { add, runs, seen } = retrying(60_000);
  const results = Promise.all(numbers(3).map(add));
  await turn();
  runs[0]?.fail(storeLost());
  await waitFor(() => runs.length === 2, { what: 'the second try' });
  runs[1]?.answer();
  assert.deepEqual(await results, ['<0>', '<1>', '<2>']);
  assert.deepEqual(seen, ['failed', 'stored']);
});

test('a batch is run again soon, however long the store was away', async () => {
  const { add, runs } = retrying(60_000);
  const began = performance.now();
  const result = add(1);
  for (let failures = 1; failures <= 6; failures += 1) {
    await waitFor(() => runs.length === failures, { what: `try ${failures}` });
    runs.at(-1)?.fail(storeLost());
  }
  await waitFor(() => runs.length === 7, { what: 'the last try' });
  // 2.4 s of delays; 12.75 s if they were doubled up to 5 s.
  assert.ok(performance.now() - began < 8_000);
  runs.at(-1)?.answer();
  assert.equal(await result, '<1>');
});

test('a retry ends when its time is over or when it is cut, and does not begin after a refusal of the store', async () => {
  const late = retrying(-1);
  const tooLate = assert.rejects(late.add(1), /the server is gone/);
  await turn();
  late.runs[0]?.fail(storeLost());
  await tooLate;

  const cut = retrying(60_000);
  const wasCut = assert.rejects(cut.add(1), /the server is gone/);
  await turn();
  cut.runs[0]?.fail(storeLost());
  await turn();
  cut.cut.abort();
  await turn();
  assert.equal(cut.runs.length, 2, 'the last try, without the pause before it');
  cut.runs[1]?.fail(storeLost());
  await wasCut;

  const refused = retrying(60_000);
  const wasRefused = assert.rejects(refused.add(1), /no such column/);
  await turn();
  refused.runs[0]?.fail(new Error('no such column'));
  await wasRefused;
});

test('draining waits for what is waiting and under way', async () => {
  const { add, drain, runs } = bed();
  await drain();
  const result = add(1);
  let isDrained = false;
  const draining = drain().then(() => (isDrained = true));
  await turn();
  assert.equal(isDrained, false);
  runs[0]?.answer();
  await result;
  await draining;
});
