import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultLimits } from './limits.ts';
import { CommandTimeouts } from './command-timeouts.ts';

function watch(limits: Partial<typeof defaultLimits>) {
  const { promise, resolve } = Promise.withResolvers<number>();
  const timeouts = new CommandTimeouts({ ...defaultLimits, ...limits }, () => resolve(performance.now()));
  return { timeouts, expired: promise };
}

test('each command is waited for anew, and none longer than its time', async () => {
  const { timeouts, expired } = watch({ first_command_timeout_ms: 80, command_timeout_ms: 100 });
  let waited = 0;
  void expired.then(() => assert.equal(waited, 5));
  for (; waited < 5; waited += 1) {
    timeouts.waitForCommand();
    await sleep(40);
    timeouts.commandCame();
  }
  const start = performance.now();
  timeouts.waitForCommand();
  timeouts.waitForCommand();
  const took = (await expired) - start;
  assert.ok(took >= 99 && took < 5_000, `${took} ms`);
});

test('a shorter wait ends before a longer one that began sooner', async () => {
  const { timeouts, expired } = watch({ data_timeout_ms: 50, transaction_timeout_ms: 60_000 });
  timeouts.noteTransaction(true);
  timeouts.waitForData();
  await expired;
  timeouts.end();
});

test('a cleared timeout does not expire, and none expires after the end', async () => {
  const { timeouts, expired } = watch({ command_timeout_ms: 20, transaction_timeout_ms: 20 });
  let hasExpired = false;
  void expired.then(() => (hasExpired = true));
  timeouts.commandCame();
  timeouts.waitForCommand();
  timeouts.noteTransaction(true);
  timeouts.clear();
  await sleep(60);
  timeouts.waitForCommand();
  timeouts.end();
  await sleep(60);
  assert.equal(hasExpired, false);
});
