import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHashingQueue } from './hashing-queue.ts';

test('no more run at once than there are places, none is lost, and the first come is first served', async () => {
  const hashing = createHashingQueue({ concurrency: 2, max_waiting: 10 });
  const doors = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const work = doors.map(
    async ({ promise }, index) =>
      await hashing.run(async () => {
        started.push(index);
        await promise;
        return index;
      }),
  );
  await Promise.resolve();
  assert.deepEqual(started, [0, 1]);
  doors[1]?.resolve();
  await work[1];
  await new Promise(setImmediate);
  assert.deepEqual(started, [0, 1, 2]);
  for (const { resolve } of doors) resolve();
  assert.deepEqual(await Promise.all(work), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5]);
});

test('rejects a caller at once while too many wait, and accepts it later', async () => {
  const hashing = createHashingQueue({ concurrency: 1, max_waiting: 2 });
  const door = Promise.withResolvers<void>();
  const inside = [1, 2, 3].map(async () => await hashing.run(async () => await door.promise));
  await assert.rejects(
    hashing.run(async () => undefined),
    { code: 'service_unavailable' },
  );
  door.resolve();
  await Promise.all(inside);
  assert.equal(await hashing.run(async () => 'done'), 'done');
});

test('work that fails gives its place back', async () => {
  const hashing = createHashingQueue({ concurrency: 1, max_waiting: 1 });
  const failing = hashing.run(async () => await Promise.reject(new Error('no')));
  const next = hashing.run(async () => 'done');
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'done');
});
