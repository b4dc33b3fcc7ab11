import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retry } from './retry.ts';

const lost = new Error('lost');
const isRetryable = (error: unknown): boolean => error === lost;
const at_once = { first_ms: 0, most_ms: 0, isRetryable };

function failing(times: number, error: Error = lost) {
  const calls = { count: 0 };
  const work = async (): Promise<string> => {
    calls.count += 1;
    if (calls.count <= times) throw error;
    return 'done';
  };
  return { calls, work };
}

test('work is repeated until it succeeds, and each failure is reported with its number', async () => {
  const { calls, work } = failing(3);
  const reported: number[] = [];
  const onFailure = (_: unknown, failures: number): void => void reported.push(failures);
  assert.equal(await retry(work, { ...at_once, onFailure }), 'done');
  assert.deepEqual([calls.count, reported], [4, [1, 2, 3]]);
});

test('another error is thrown at once', async () => {
  const { calls, work } = failing(1, new Error('refused'));
  await assert.rejects(retry(work, at_once), /refused/);
  assert.equal(calls.count, 1);
});

test('the time limit, the signal and the report end the retries', async () => {
  await assert.rejects(retry(failing(Infinity).work, { ...at_once, within_ms: -1 }), lost);
  const aborted = failing(Infinity);
  await assert.rejects(retry(aborted.work, { ...at_once, signal: AbortSignal.abort() }), lost);
  assert.equal(aborted.calls.count, 1);
  const onFailure = (): never => {
    throw new Error('given up');
  };
  await assert.rejects(retry(failing(Infinity).work, { ...at_once, onFailure }), /given up/);
});

test('the signal ends a delay, and the work is tried once more', async () => {
  const ending = new AbortController();
  const { calls, work } = failing(1);
  const onFailure = (): void => void setImmediate(() => ending.abort());
  const slow = { first_ms: 3_600_000, most_ms: 3_600_000, isRetryable };
  assert.equal(await retry(work, { ...slow, signal: ending.signal, onFailure }), 'done');
  assert.equal(calls.count, 2);
});
