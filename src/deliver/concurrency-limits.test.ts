import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Outcome } from '../events/outcome.ts';
import { createConcurrencyLimits, type ConcurrencyLimits } from './concurrency-limits.ts';

const identity = { mail_id: 'm', msg_id: 'g', instance_id: 1, lease: 'l', at: new Date(0) };
const answered: Outcome = { ...identity, verdict: 'sent', details: { attempt: 1, smtp_code: 250 } };
const room = (more: Partial<Parameters<typeof createConcurrencyLimits>[0]> = {}): ConcurrencyLimits =>
  createConcurrencyLimits({
    places: 100,
    slow_after_ms: 60_000,
    max_slow: 100,
    onFreeSlot: () => undefined,
    ...more,
  });

test('a place that is left is free again', () => {
  const places = room();
  const leave = [places.enter('a.test', true), places.enter('a.test', false)];
  assert.equal(places.free(), 98);
  for (const each of leave) each();
  assert.equal(places.free(), 100);
  assert.deepEqual(places.shares(0).excluded, []);
});

test('destinations of which nobody knows get little each, and not all of the room together', () => {
  const places = room();
  places.learn('quick.test', answered, 0);
  const { per_lane, quick } = places.shares(1);
  assert.equal(per_lane, 2);
  assert.deepEqual(quick, { destinations: ['quick.test'], per_lane: 25 });
  const leave = Array.from({ length: 80 }, (_, index) => places.enter(`d${index}.test`, true));
  assert.equal(places.shares(1).per_lane, 0);
  assert.equal(places.shares(1).quick?.per_lane, 5, 'those that answer still get theirs');
  leave[0]?.();
  assert.equal(places.shares(1).per_lane, 1);
  for (const each of leave.slice(1)) each();
});

test('who waits for long gives its place up, up to a number of them, and takes nothing with it', async () => {
  let woken = 0;
  const places = room({ slow_after_ms: 5, max_slow: 60, onFreeSlot: () => void (woken += 1) });
  const leave = Array.from({ length: 100 }, (_, index) => places.enter(`d${index}.test`, true));
  assert.equal(places.free(), 0);
  await waitFor(() => places.free() === 60, { what: 'places to be given up' });
  assert.equal(woken, 60);
  leave.push(places.enter('d0.test', true));
  assert.deepEqual(places.shares(1).excluded, ['d0.test'], 'one of two that are under way');
  for (const each of leave) each();
  assert.equal(places.free(), 100);
  assert.equal(places.shares(1).per_lane, 2);
});

test('a destination rests when it asked for that, not for what is a mail’s own', () => {
  const places = room();
  const put = {
    ...identity,
    verdict: 'postponed',
    details: { attempt: 1 },
    next_attempt_at: new Date(1_000),
  } as const;
  places.learn('busy.test', { ...put, reason: 'paced' }, 0);
  places.learn('other.test', { ...put, reason: 'warming_up' }, 0);
  assert.deepEqual(places.shares(1).excluded, ['busy.test']);
  assert.deepEqual(places.shares(1_000).excluded, []);
});

test('what is urgent does not wait for room that broadcast to the same destination has taken', () => {
  const places = room();
  places.learn('quick.test', answered, 0);
  const leave = Array.from({ length: 40 }, () => places.enter('quick.test', false));
  const { excluded, excluded_for_broadcast } = places.shares(1);
  assert.deepEqual([excluded, excluded_for_broadcast], [[], ['quick.test']]);
  leave.push(...Array.from({ length: 20 }, () => places.enter('quick.test', true)));
  assert.deepEqual(places.shares(1).excluded, ['quick.test']);
  for (const each of leave) each();
});

test('one more may enter as long as its destination has room, which broadcast may not fill', () => {
  const places = room();
  assert.ok(places.mayEnter('new.test', true, 0));
  const leave = [places.enter('new.test', true), places.enter('new.test', true)];
  assert.equal(places.mayEnter('new.test', true, 0), false, 'two of a hundred for one that nobody knows');
  places.learn('new.test', answered, 0);
  assert.ok(places.mayEnter('new.test', true, 1));
  assert.equal(places.mayEnter('new.test', true, 60_001), false, 'what is known of it grows old');
  leave.push(...Array.from({ length: 78 }, (_, index) => places.enter(`d${index}.test`, false)));
  places.learn('other.test', answered, 0);
  assert.deepEqual(
    [places.mayEnter('other.test', true, 1), places.mayEnter('other.test', false, 1)],
    [true, false],
  );
  for (const each of leave) each();
});

test('a quick destination is claimed for again once it is down to half of its share', () => {
  const places = room();
  places.learn('quick.test', answered, 0);
  const leave = Array.from({ length: 12 }, () => places.enter('quick.test', true));
  assert.deepEqual(places.shares(1).excluded, ['quick.test'], '12 of 22');
  for (const each of leave.splice(0, 2)) each();
  assert.deepEqual(places.shares(1).excluded, [], '10 of 23');
  for (const each of leave) each();
});
