import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planPeriod } from './plan-usage.ts';

const periodOf = (timezone: string, now: string): [string, string] => {
  const { period, starts_at } = planPeriod({ id: 1, timezone }, new Date(now));
  return [period, starts_at.toISOString()];
};

test('a month begins and ends at midnight of its zone, in whatever order it is asked for', () => {
  const november = ['2026-11-01', '2026-11-01T03:00:00.000Z'];
  assert.deepEqual(periodOf('America/Santiago', '2026-11-15T12:00:00Z'), november);
  assert.deepEqual(periodOf('America/Santiago', '2026-12-01T02:59:59.999Z'), november);
  const december = ['2026-12-01', '2026-12-01T03:00:00.000Z'];
  assert.deepEqual(periodOf('America/Santiago', '2026-12-01T03:00:00Z'), december);
  assert.deepEqual(periodOf('America/Santiago', '2026-11-01T03:00:00Z'), november, 'a clock set back');
  assert.deepEqual(periodOf('UTC', '2026-12-01T02:00:00Z'), ['2026-12-01', '2026-12-01T00:00:00.000Z']);
});

test('a month in which the clocks change is as long as it is', () => {
  const april = ['2026-04-01', '2026-04-01T03:00:00.000Z'];
  assert.deepEqual(periodOf('America/Santiago', '2026-05-01T03:59:59Z'), april);
  assert.deepEqual(periodOf('America/Santiago', '2026-05-01T04:00:00Z'), [
    '2026-05-01',
    '2026-05-01T04:00:00.000Z',
  ]);
});
