import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';

const minute = 60_000;

/** RFC 5321 §4.5.3.2: what a client should wait at least, and what ours waits. */
const steps: [step: keyof Timeouts, section: string, rfc_ms: number, ours_ms: number][] = [
  ['greeting', '§4.5.3.2.1, initial 220', 5 * minute, 30_000],
  ['mail', '§4.5.3.2.2, MAIL', 5 * minute, minute],
  ['rcpt', '§4.5.3.2.3, RCPT', 5 * minute, minute],
  ['data', '§4.5.3.2.4, DATA initiation', 2 * minute, minute],
  ['block', '§4.5.3.2.5, data block', 3 * minute, 2 * minute],
  ['body', '§4.5.3.2.6, DATA termination', 10 * minute, 10 * minute],
];

for (const [step, section, rfc_ms, ours_ms] of steps) {
  test(`${section}: waits ${ours_ms / 1000} s`, () => {
    assert.equal(defaultTimeouts[step], ours_ms);
    assert.ok(ours_ms <= rfc_ms);
  });
}

test('only what would send a message twice waits as long as the RFC asks: mail that was not handed over can wait', () => {
  const full = steps.filter(([, , rfc_ms, ours_ms]) => ours_ms === rfc_ms).map(([step]) => step);
  assert.deepEqual(full, ['body']);
});

test('timeouts without a figure in the RFC', () => {
  const { connect, ehlo, starttls, auth, rset, quit, transaction } = defaultTimeouts;
  assert.deepEqual(
    { connect, ehlo, starttls, auth, rset, quit, transaction },
    {
      connect: 15_000,
      ehlo: minute,
      starttls: 30_000,
      auth: 30_000,
      rset: minute,
      quit: 5_000,
      transaction: 10 * minute,
    },
  );
});
