import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monotonicClock } from '../base/clock.ts';
import { createPace } from './pace/pace.ts';
import { createSessionPool } from './session-pool.ts';

test('a mail does not wait for a token of its rate for longer than for a connection', async () => {
  const pool = createSessionPool({
    // Without a success the rate stays as it is.
    open: async () => ({ kind: 'refused', phase: 'connect', message: 'refused' }),
    pace: createPace({ max_mails_per_second: 5, min_mails_per_second: 5 }, monotonicClock),
    clock: monotonicClock,
    max_messages: 100,
    idle_ms: 5_000,
    max_wait_ms: 500,
  });
  const target = { host: 'mx.example.test', address: '127.0.0.1', tls: 'opportunistic' } as const;
  const began = performance.now();
  const results = await Promise.all(
    Array.from({ length: 30 }, async () => await pool.use(target, async () => ({ kind: 'used' as const }))),
  );
  const kinds = results.map(({ kind }) => kind);
  const refused = kinds.filter((kind) => kind === 'refused').length;
  // The burst of one second, and those whose token came in time.
  assert.ok(refused >= 5 && refused <= 9, `${refused}`);
  assert.equal(kinds.filter((kind) => kind === 'paced').length, kinds.length - refused);
  assert.ok(performance.now() - began < 2_000);
});
