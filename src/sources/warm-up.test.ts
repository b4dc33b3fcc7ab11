import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsToNextDay, warmUpCap, warmUpDay } from './warm-up.ts';

const first_used_at = new Date('2026-01-01T12:00:00Z');
const source = { warms_up: true, first_used_at };
const after = (days: number): Date => new Date(first_used_at.getTime() + days * 86_400_000);

test('a new source address may send twice as much each day, then as much as it likes', () => {
  assert.deepEqual(
    [0, 0.9, 1, 2, 6, 12, 13].map((days) => warmUpCap(source, after(days))),
    [50, 50, 100, 200, 3_200, 204_800, Infinity],
  );
  assert.equal(
    warmUpCap({ warms_up: true, first_used_at: null }, after(99)),
    50,
    'its life begins with its first mail',
  );
  assert.equal(warmUpCap({ warms_up: false, first_used_at: null }, after(0)), Infinity);
});

test('days are counted from the first mail, not from midnight', () => {
  assert.equal(warmUpDay(source, new Date('2026-01-02T11:59:59Z')), 0);
  assert.equal(warmUpDay(source, new Date('2026-01-02T12:00:00Z')), 1);
  assert.equal(warmUpDay(source, new Date('2025-12-01T12:00:00Z')), 0);
  assert.equal(secondsToNextDay(source, new Date('2026-01-02T11:59:00Z')), 60);
});
