import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

const minute = 60_000;

test('next is the instance that used the least, and no instance has two jobs running', () => {
  const queue = new FairQueue<string>(10);
  for (const job of ['a1', 'a2', 'a3']) queue.add(1, job);
  queue.add(2, 'b1');
  assert.deepEqual(queue.take(0), { id: 1, job: 'a1' });
  assert.deepEqual(queue.take(0), { id: 2, job: 'b1' });
  assert.equal(queue.take(0), undefined);
  queue.done(1, { used_ms: 500, now: 500 });
  queue.done(2, { used_ms: 10, now: 510 });
  queue.add(2, 'b2');
  assert.deepEqual(queue.take(510), { id: 2, job: 'b2' });
  queue.done(2, { used_ms: 10, now: 520 });
  queue.add(3, 'c1');
  queue.add(2, 'b3');
  assert.deepEqual(queue.take(520), { id: 3, job: 'c1' });
  assert.deepEqual(queue.take(520), { id: 2, job: 'b3' });
  assert.deepEqual(queue.take(520), { id: 1, job: 'a2' });
});

test('used time halves every half minute', () => {
  const queue = new FairQueue<string>(10);
  const used: number[] = [];
  const look = (now: number): void => {
    queue.take(now, (_job, used_ms) => {
      used.push(used_ms);
      return false;
    });
  };
  queue.add(1, 'a1');
  queue.take(0);
  queue.done(1, { used_ms: 800, now: 0, again: 'a1' });
  for (const now of [0, minute / 2, minute, 10 * minute]) look(now);
  assert.deepEqual(used.slice(0, 3), [800, 400, 200]);
  assert.ok((used[3] ?? 1) < 1);
});

test('take returns only jobs that match, in the order of their owner', () => {
  const queue = new FairQueue<string>(10);
  for (const job of ['large', 'small']) queue.add(1, job);
  queue.add(2, 'small');
  const isSmall = (job: string): boolean => job === 'small';
  assert.deepEqual(queue.take(0, isSmall), { id: 2, job: 'small' });
  assert.equal(queue.take(0, isSmall), undefined, 'the small one of 1 waits behind its large one');
  assert.deepEqual(queue.take(0), { id: 1, job: 'large' });
  queue.done(1, { used_ms: 1, now: 0, again: 'large' });
  assert.deepEqual(queue.take(0), { id: 1, job: 'large' });
});

test('an owner has no more waiting than it may', () => {
  const queue = new FairQueue<number>(2);
  assert.deepEqual(
    [1, 2, 3].map((job) => queue.add(1, job)),
    [true, true, false],
  );
  assert.equal(queue.add(2, 4), true);
  queue.take(0);
  assert.equal(queue.add(1, 5), true);
});
