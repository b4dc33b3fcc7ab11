import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { WaitingLine } from './waiting-line.ts';

function begin(line: WaitingLine, wishes: [name: string, key: string, urgent?: boolean][]): string[] {
  const served: string[] = [];
  for (const [name, key, urgent = false] of wishes) {
    void line.wait({ provider: 'p.test', key, urgent }, 60_000).then(() => served.push(name));
  }
  return served;
}

test('a free session wakes one who waits for it, urgent ones first, then in their order', async () => {
  const line = new WaitingLine();
  const served = begin(line, [
    ['a', 'one'],
    ['other', 'two'],
    ['b', 'one'],
    ['urgent', 'one', true],
  ]);
  for (let turn = 1; turn <= 3; turn += 1) line.sessionFree('p.test', 'one');
  await waitFor(() => served.length === 3, { what: 'three to be served' });
  assert.deepEqual(served, ['urgent', 'a', 'b']);
  line.sessionFree('p.test', 'one');
  await waitFor(() => served.includes('other'), { what: 'another to make something of the place' });
});

test('a free place wakes all of its provider and nobody else', async () => {
  const line = new WaitingLine();
  const served = begin(line, [
    ['a', 'one'],
    ['b', 'two'],
  ]);
  line.placeFree('q.test');
  line.placeFree('p.test');
  await waitFor(() => served.length === 2, { what: 'both to be woken' });
  line.placeFree('p.test');
});

test('nobody waits for longer than it wants', async () => {
  const line = new WaitingLine();
  const began = performance.now();
  await line.wait({ provider: 'p.test', key: 'one', urgent: false }, 20);
  assert.ok(performance.now() - began >= 19);
});
