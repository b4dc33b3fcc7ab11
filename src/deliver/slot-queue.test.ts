import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitFor } from '../../test/support/wait-for.ts';
import { SlotQueue } from './slot-queue.ts';

type Waiting = [name: string, key: string, more?: { urgent?: boolean; provider?: string }];

function begin(line: SlotQueue, waiting: Waiting[]): string[] {
  const served: string[] = [];
  for (const [name, key, { urgent = false, provider = 'p.test' } = {}] of waiting) {
    void line.wait({ provider, key, urgent }, 60_000).then(() => served.push(name));
  }
  return served;
}

test('a free session wakes one who waits for it, urgent ones first, then in their order', async () => {
  const line = new SlotQueue();
  const served = begin(line, [
    ['a', 'one'],
    ['other', 'two'],
    ['b', 'one'],
    ['urgent', 'one', { urgent: true }],
  ]);
  for (let turn = 1; turn <= 3; turn += 1) line.sessionFree('p.test', 'one');
  await waitFor(() => served.length === 3, { what: 'three to be served' });
  assert.deepEqual(served, ['urgent', 'a', 'b']);
  line.sessionFree('p.test', 'one');
  await waitFor(() => served.includes('other'), { what: 'another to make something of the place' });
});

test('a free place wakes all of its provider and none of another', async () => {
  const line = new SlotQueue();
  const served = begin(line, [
    ['a', 'one'],
    ['elsewhere', 'one', { provider: 'q.test' }],
    ['b', 'two'],
  ]);
  line.placeFree('r.test');
  await nextTurn();
  assert.deepEqual(served, []);
  line.placeFree('p.test');
  await nextTurn();
  assert.deepEqual(served, ['a', 'b']);
  // Those who were served do not wait any more.
  line.placeFree('p.test');
  line.sessionFree('q.test', 'one');
  await nextTurn();
  assert.deepEqual(served, ['a', 'b', 'elsewhere']);
});

test('nobody waits for longer than it wants', async () => {
  const line = new SlotQueue();
  const began = performance.now();
  await line.wait({ provider: 'p.test', key: 'one', urgent: false }, 20);
  assert.ok(performance.now() - began >= 19);
});
