import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterSeconds } from './retry-after.ts';

const now = new Date('2026-12-01T12:00:00Z');

test('seconds and dates are read, up to a day', () => {
  for (const [value, seconds] of [
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['999999999999999999999', 86_400],
    ['Tue, 01 Dec 2026 12:10:00 GMT', 600],
    ['Tue, 01 Dec 2026 11:00:00 GMT', 0],
    ['Fri, 01 Dec 2028 12:00:00 GMT', 86_400],
  ] as const) {
    assert.equal(retryAfterSeconds(value, now), seconds, value);
  }
});

test('anything else is as if nothing was said', () => {
  for (const value of ['', '-1', '1.5', '1e9', 'soon', '2026-12-01', 'Tue, 99 Foo 2026 12:10:00 GMT'])
    assert.equal(retryAfterSeconds(value, now), 0, value);
});
