import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLarge, yieldForLargeWork } from './yield-large-work.ts';

test('large work gets one turn of the event loop each, and others have theirs in between', async () => {
  const order: string[] = [];
  const large = ['a', 'b', 'c'].map(async (name) => {
    await yieldForLargeWork();
    order.push(name);
  });
  const small = (left: number): void => {
    order.push('.');
    if (left > 1) setImmediate(small, left - 1);
  };
  setImmediate(small, 10);
  await Promise.all(large);
  assert.match(order.join(''), /^\.*a\.+b\.+c\.*$/);
});

test('a megabyte is not large yet', () => {
  assert.deepEqual([isLarge(1024 * 1024), isLarge(1024 * 1024 + 1)], [false, true]);
});

test('after long work the next waits as long as it took', async () => {
  const ends: number[] = [];
  const begins: number[] = [];
  const long = async (): Promise<void> => {
    await yieldForLargeWork();
    const began = performance.now();
    begins.push(began);
    while (performance.now() - began < 60);
    ends.push(performance.now());
  };
  await Promise.all([long(), long(), long()]);
  const pauses = begins.slice(1).map((began, index) => began - (ends[index] ?? 0));
  // Timers may fire a millisecond early.
  assert.ok(Math.min(...pauses) > 55, pauses.join(', '));
});
