import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitFor } from '../../test/support/wait-for.ts';
import { SlotQueue } from './slot-queue.ts';

type Waiting = [name: string, key: string, more?: { urgent?: boolean; provider?: string }];

function begin(queue: SlotQueue, waiting: Waiting[]): string[] {
  const served: string[] = [];
  for (const [name, key, { urgent = false, provider = 'p.test' } = {}] of waiting) {
    void queue.wait({ provider, key, urgent }, 60_000).then(() => served.push(name));
  }
  return served;
}

test('an idle session wakes one waiter with its key, urgent ones first, then first in, first out', async () => {
  const queue = new SlotQueue();
  const served = begin(queue, [
    ['a', 'one'],
    ['other', 'two'],
    ['b', 'one'],
    ['urgent', 'one', { urgent: true }],
  ]);
  for (let turn = 1; turn <= 3; turn += 1) queue.sessionFree('p.test', 'one');
  await waitFor(() => served.length === 3, { what: 'three to be served' });
  assert.deepEqual(served, ['urgent', 'a', 'b']);
  queue.sessionFree('p.test', 'one');
  await waitFor(() => served.includes('other'), { what: 'a waiter with another key' });
});

test('a free slot wakes all waiters of its provider and none of another', async () => {
  const queue = new SlotQueue();
  const served = begin(queue, [
    ['a', 'one'],
    ['elsewhere', 'one', { provider: 'q.test' }],
    ['b', 'two'],
  ]);
  queue.slotFree('r.test');
  await nextTurn();
  assert.deepEqual(served, []);
  queue.slotFree('p.test');
  await nextTurn();
  assert.deepEqual(served, ['a', 'b']);
  // Served waiters are not woken again.
  queue.slotFree('p.test');
  queue.sessionFree('q.test', 'one');
  await nextTurn();
  assert.deepEqual(served, ['a', 'b', 'elsewhere']);
});

test('a wait ends after its timeout', async () => {
  const queue = new SlotQueue();
  const began = performance.now();
  await queue.wait({ provider: 'p.test', key: 'one', urgent: false }, 20);
  assert.ok(performance.now() - began >= 19);
});
