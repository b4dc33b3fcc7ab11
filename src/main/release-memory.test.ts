import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../test/support/wait-for.ts';
import { releaseMemory } from './release-memory.ts';

test('memory is given back once after the start, and again when work has been over for long', async () => {
  let share = 0.5;
  let collected = 0;
  const rest_ms = 400;
  const part = releaseMemory({
    poll_every_ms: 10,
    rest_ms,
    utilization: () => share,
    collect: () => void (collected += 1),
  });
  await delay(100);
  assert.equal(collected, 0);
  share = 0;
  await waitFor(() => collected === 1, { what: 'what the start took' });
  await delay(100);
  assert.equal(collected, 1);

  share = 0.5;
  await delay(100);
  const ended = performance.now();
  share = 0;
  await waitFor(() => collected === 2, { what: 'what the work took' });
  assert.ok(performance.now() - ended >= rest_ms - 50, `after ${performance.now() - ended} ms`);
  await delay(rest_ms + 100);
  assert.equal(collected, 2);
  await part.stop();
});
