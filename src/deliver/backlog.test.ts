import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimedMail } from '../queue/claim.ts';
import { createBacklog } from './backlog.ts';
import type { Shares } from './concurrency-limits.ts';

const shares: Shares = {
  per_lane: 2,
  quick: { destinations: ['quick.test'], per_lane: 4 },
  excluded: [],
  excluded_for_broadcast: [],
};
const claimed = (destination: string, count: number): ClaimedMail[] =>
  Array.from({ length: count }, (_, index) => ({
    mail_id: `${index}`,
    msg_id: 'g',
    instance_id: 1,
    destination,
    attempt: 1,
    lease: 'l',
    leased_at: 0,
  }));

test('a destination that gave all it might have still waits, one that gave less does not', () => {
  const backlog = createBacklog();
  for (const name of ['slow.test', 'quick.test', 'empty.test']) backlog.add(name);
  backlog.look([...claimed('slow.test', 2), ...claimed('quick.test', 3)], shares);
  assert.deepEqual(
    ['slow.test', 'quick.test', 'empty.test'].map((name) => backlog.has(name)),
    [true, false, false],
  );
});

test('of one that was passed over nothing is known', () => {
  const backlog = createBacklog();
  for (const name of ['full.test', 'news.test']) backlog.add(name);
  backlog.look([], { ...shares, excluded: ['full.test'], excluded_for_broadcast: ['news.test'] });
  assert.deepEqual([backlog.has('full.test'), backlog.has('news.test')], [true, true]);
  backlog.look([], { ...shares, per_lane: 0 });
  assert.ok(backlog.has('full.test'), 'nor of those that nobody may have any of');
  backlog.look([], shares);
  assert.deepEqual([backlog.has('full.test'), backlog.has('news.test')], [false, false]);
});
