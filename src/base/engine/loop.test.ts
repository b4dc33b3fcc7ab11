import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createLog } from '../log.ts';
import { createLoop } from './loop.ts';

function bed(step: (round: number) => Promise<number>) {
  const lines: string[] = [];
  let rounds = 0;
  const loop = createLoop({
    name: 'counting',
    log: createLog('info', { write: (line) => void lines.push(line) }),
    step: async () => await step((rounds += 1)),
  });
  return { loop, lines, rounds: () => rounds };
}

test('a wake-up ends the wait, and one during an iteration causes another iteration', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { loop, rounds } = bed(async (round) => {
    if (round === 1) await gate.promise;
    return 60_000;
  });
  t.after(async () => await loop.stop());
  loop.start();
  loop.wake();
  gate.resolve();
  await waitFor(() => rounds() === 2, { what: 'the round after the wake-up' });
  loop.wake();
  await waitFor(() => rounds() === 3, { what: 'the woken round' });
});

test('a step that fails is repeated, logged once while it fails and once when it works again', async (t) => {
  const { loop, lines, rounds } = bed(async (round) => {
    if (round >= 4) return 60_000;
    loop.wake();
    throw new Error('no database');
  });
  t.after(async () => await loop.stop());
  const began = performance.now();
  loop.start();
  await waitFor(() => rounds() >= 4 && lines.length === 2, { what: 'the fourth round' });
  assert.ok(
    performance.now() - began > 1_400,
    'also when it is woken all the while, it pauses after a failure',
  );
  assert.match(lines[0] ?? '', /counting failed and is retried/);
  assert.match(lines[1] ?? '', /"failures":3.*counting works again/);
});

test('stopping waits for the running iteration and starts no other', async () => {
  const gate = Promise.withResolvers<void>();
  const { loop, rounds } = bed(async () => {
    await gate.promise;
    return 0;
  });
  loop.start();
  const stopped = loop.stop();
  gate.resolve();
  await stopped;
  assert.equal(rounds(), 1);
});

test('stopping does not wait for the pause after a failure', async () => {
  const gate = Promise.withResolvers<number>();
  const { loop } = bed(async () => await gate.promise);
  loop.start();
  let isStopped = false;
  const stopping = loop.stop().then(() => (isStopped = true));
  gate.reject(new Error('no database'));
  await turn();
  assert.equal(isStopped, true);
  await stopping;
});
