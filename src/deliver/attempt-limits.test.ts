import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../base/config.ts';
import { attemptLimits, type AttemptLimits } from './attempt-limits.ts';

const limitsOf = (env: Record<string, string>): AttemptLimits & { lease_ms: number } => {
  const { delivery_lease_seconds, mx_timeout_seconds } = readConfig(env);
  return {
    ...attemptLimits({ lease_seconds: delivery_lease_seconds, reply_seconds: mx_timeout_seconds }),
    lease_ms: delivery_lease_seconds * 1000,
  };
};

/**
 * Other servers first, until no further one may be tried; then the longest ways to a session, each step to the end of its
 * time; then the message. On the way to a recipient's server TLS fails and all is done again without, where EHLO is refused
 * and HELO taken; at a smarthost AUTH takes up to three steps.
 */
function longestAttempt({ timeouts, max_search_ms, max_wait_ms }: AttemptLimits): number {
  const { connect, greeting, ehlo, starttls, auth, rset, transaction, body } = timeouts;
  const greeted = connect + greeting + ehlo;
  const opening = greeted + starttls * 2 + Math.max(greeted + ehlo, ehlo + auth * 3);
  // A connection that was kept and ends as it is used again: the server is asked once more.
  const stale = rset;
  return max_search_ms + stale + max_wait_ms + opening + transaction + body;
}

test('an attempt is over before its lease is, and the reply after the dot has its ten minutes', () => {
  const limits = limitsOf({});
  assert.equal(limits.timeouts.body, 600_000);
  assert.ok(longestAttempt(limits) < limits.lease_ms, `${longestAttempt(limits)} ms of ${limits.lease_ms}`);
});

test('a shorter lease shortens what a message gets, not what another needs', () => {
  const { timeouts, max_search_ms, max_wait_ms } = limitsOf({
    CHASQUI_DELIVERY_LEASE_SECONDS: '24',
  });
  assert.deepEqual(
    [max_search_ms, max_wait_ms, timeouts.transaction, timeouts.body],
    [3_000, 6_000, 6_000, 8_000],
  );
  assert.equal(timeouts.rcpt, 60_000);
});

test('no reply is waited for longer than the setting allows', () => {
  const { timeouts } = limitsOf({ CHASQUI_MX_TIMEOUT_SECONDS: '2' });
  const { transaction, ...replies } = timeouts;
  assert.deepEqual(new Set(Object.values(replies)), new Set([2_000]));
  assert.equal(transaction, 450_000);
});
