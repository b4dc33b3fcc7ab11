import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimedMail } from '../queue/claim.ts';
import { createBacklog } from './backlog.ts';
import type { Shares } from './concurrency-limits.ts';

const shares: Shares = {
  per_lane: 2,
  responsive: { destinations: ['responsive.test'], per_lane: 4 },
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

test('a destination that used its whole share keeps its backlog, one that used less has none', () => {
  const backlog = createBacklog();
  for (const name of ['slow.test', 'responsive.test', 'empty.test']) backlog.add(name);
  backlog.update([...claimed('slow.test', 2), ...claimed('responsive.test', 3)], shares);
  assert.deepEqual(
    ['slow.test', 'responsive.test', 'empty.test'].map((name) => backlog.has(name)),
    [true, false, false],
  );
});

test('a destination that was skipped keeps its backlog', () => {
  const backlog = createBacklog();
  for (const name of ['full.test', 'news.test']) backlog.add(name);
  backlog.update([], { ...shares, excluded: ['full.test'], excluded_for_broadcast: ['news.test'] });
  assert.deepEqual([backlog.has('full.test'), backlog.has('news.test')], [true, true]);
  backlog.update([], { ...shares, per_lane: 0 });
  assert.ok(backlog.has('full.test'), 'a share of zero shows nothing');
  backlog.update([], shares);
  assert.deepEqual([backlog.has('full.test'), backlog.has('news.test')], [false, false]);
});
