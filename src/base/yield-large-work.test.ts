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
  setImmediate(small, 3);
  await Promise.all(large);
  assert.match(order.join(''), /^\.?a\.b\.c\.?$/);
});

test('a megabyte is not large yet', () => {
  assert.deepEqual([isLarge(1024 * 1024), isLarge(1024 * 1024 + 1)], [false, true]);
});
