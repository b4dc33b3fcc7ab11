import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoffDelay } from './backoff.ts';

test('each failure doubles the delay, up to the longest one', () => {
  const delays = [1, 2, 3, 4, 5, 5_000].map((failures) =>
    backoffDelay(failures, { first_ms: 250, most_ms: 2_500 }),
  );
  assert.deepEqual(delays, [250, 500, 1_000, 2_000, 2_500, 2_500]);
});
