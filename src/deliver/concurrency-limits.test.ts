import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Outcome } from '../events/outcome.ts';
import { createConcurrencyLimits, type ConcurrencyLimits } from './concurrency-limits.ts';

const identity = { mail_id: 'm', msg_id: 'g', instance_id: 1, lease: 'l', at: new Date(0) };
const answered: Outcome = { ...identity, verdict: 'sent', details: { attempt: 1, smtp_code: 250 } };
const createLimits = (more: Partial<Parameters<typeof createConcurrencyLimits>[0]> = {}): ConcurrencyLimits =>
  createConcurrencyLimits({
    slots: 100,
    slow_after_ms: 60_000,
    max_slow: 100,
    onFreeSlot: () => undefined,
    ...more,
  });

test('a released slot is free again', () => {
  const limits = createLimits();
  const releases = [limits.acquire('a.test', true), limits.acquire('a.test', false)];
  assert.equal(limits.free(), 98);
  for (const each of releases) each();
  assert.equal(limits.free(), 100);
  assert.deepEqual(limits.shares(0).excluded, []);
});

test('unproven destinations get a small share each, and not all slots together', () => {
  const limits = createLimits();
  limits.learn('responsive.test', answered, 0);
  const { per_lane, responsive } = limits.shares(1);
  assert.equal(per_lane, 2);
  assert.deepEqual(responsive, { destinations: ['responsive.test'], per_lane: 25 });
  const releases = Array.from({ length: 80 }, (_, index) => limits.acquire(`d${index}.test`, true));
  assert.equal(limits.shares(1).per_lane, 0);
  assert.equal(limits.shares(1).responsive?.per_lane, 5, 'responsive destinations keep their share');
  releases[0]?.();
  assert.equal(limits.shares(1).per_lane, 1);
  for (const each of releases.slice(1)) each();
});

test('a slow attempt releases its slot, up to max_slow of them, and releases it once', async () => {
  let woken = 0;
  const limits = createLimits({ slow_after_ms: 5, max_slow: 60, onFreeSlot: () => void (woken += 1) });
  const releases = Array.from({ length: 100 }, (_, index) => limits.acquire(`d${index}.test`, true));
  assert.equal(limits.free(), 0);
  await waitFor(() => limits.free() === 60, { what: 'slots to be released' });
  assert.equal(woken, 60);
  releases.push(limits.acquire('d0.test', true));
  assert.deepEqual(limits.shares(1).excluded, ['d0.test'], 'one of two that are under way');
  for (const each of releases) each();
  assert.equal(limits.free(), 100);
  assert.equal(limits.shares(1).per_lane, 2);
});

test('a throttled destination is excluded, one whose mail was postponed for another reason is not', () => {
  const limits = createLimits();
  const put = {
    ...identity,
    verdict: 'postponed',
    details: { attempt: 1 },
    // A second later, by a clock that is not the process's own.
    at: new Date(5_000),
    next_attempt_at: new Date(6_000),
  } as const;
  limits.learn('busy.test', { ...put, reason: 'paced' }, 0);
  limits.learn('other.test', { ...put, reason: 'warming_up' }, 0);
  assert.deepEqual(limits.shares(1).excluded, ['busy.test']);
  assert.deepEqual(limits.shares(1_000).excluded, []);
});

test('urgent mail does not wait for slots that broadcast to the same destination uses', () => {
  const limits = createLimits();
  limits.learn('responsive.test', answered, 0);
  const releases = Array.from({ length: 40 }, () => limits.acquire('responsive.test', false));
  const { excluded, excluded_for_broadcast } = limits.shares(1);
  assert.deepEqual([excluded, excluded_for_broadcast], [[], ['responsive.test']]);
  releases.push(...Array.from({ length: 20 }, () => limits.acquire('responsive.test', true)));
  assert.deepEqual(limits.shares(1).excluded, ['responsive.test']);
  for (const each of releases) each();
});

test('a slot can be acquired within the limit of its destination, and broadcast leaves some free', () => {
  const limits = createLimits();
  assert.ok(limits.canAcquire('new.test', true, 0));
  const releases = [limits.acquire('new.test', true), limits.acquire('new.test', true)];
  assert.equal(limits.canAcquire('new.test', true, 0), false, 'two of a hundred for an unproven destination');
  limits.learn('new.test', answered, 0);
  assert.ok(limits.canAcquire('new.test', true, 1));
  assert.equal(limits.canAcquire('new.test', true, 60_001), false, 'responsiveness expires');
  releases.push(...Array.from({ length: 78 }, (_, index) => limits.acquire(`d${index}.test`, false)));
  limits.learn('other.test', answered, 0);
  assert.deepEqual(
    [limits.canAcquire('other.test', true, 1), limits.canAcquire('other.test', false, 1)],
    [true, false],
  );
  for (const each of releases) each();
});

test('a responsive destination is excluded until it is down to half of its share', () => {
  const limits = createLimits();
  limits.learn('responsive.test', answered, 0);
  const releases = Array.from({ length: 12 }, () => limits.acquire('responsive.test', true));
  assert.deepEqual(limits.shares(1).excluded, ['responsive.test'], '12 of 22');
  for (const each of releases.splice(0, 2)) each();
  assert.deepEqual(limits.shares(1).excluded, [], '10 of 23');
  for (const each of releases) each();
});

test('a destination gets no more at once than it can use, in a large process too', () => {
  const limits = createLimits({ slots: 10_000 });
  limits.learn('responsive.test', answered, 0);
  const { per_lane, responsive } = limits.shares(1);
  assert.deepEqual([per_lane, responsive.per_lane], [5, 50]);
  const releases = Array.from({ length: 200 }, () => limits.acquire('responsive.test', true));
  assert.equal(limits.canAcquire('responsive.test', true, 1), false);
  releases.pop()?.();
  assert.equal(limits.canAcquire('responsive.test', true, 1), true);
  for (const each of releases) each();
});

test('a slot to a throttled destination cannot be acquired until that is over', () => {
  const limits = createLimits();
  const details = { attempt: 1, smtp_code: 421 };
  const next_attempt_at = new Date(1_000);
  limits.learn(
    'busy.test',
    { ...identity, verdict: 'postponed', reason: 'paced', details, next_attempt_at },
    0,
  );
  assert.equal(limits.canAcquire('busy.test', true, 999), false);
  assert.equal(limits.canAcquire('busy.test', true, 1_000), true);
});

test('broadcast in every slot of a destination leaves urgent mail its own', () => {
  const limits = createLimits();
  const releases = [limits.acquire('new.test', false), limits.acquire('new.test', false)];
  assert.deepEqual(
    [limits.canAcquire('new.test', false, 0), limits.canAcquire('new.test', true, 0)],
    [false, true],
  );
  for (const each of releases) each();
});

test('slow attempts that ended leave room for others to be slow', async () => {
  const limits = createLimits({ slow_after_ms: 5, max_slow: 10 });
  for (let round = 1; round <= 2; round += 1) {
    const releases = Array.from({ length: 10 }, () => limits.acquire('slow.test', true));
    await waitFor(() => limits.free() === 100, { what: 'slots to be released' });
    for (const each of releases) each();
    assert.equal(limits.free(), 100);
  }
});

test('an attempt is slow in its own time, not in that of one before it', async () => {
  const limits = createLimits({ slow_after_ms: 100 });
  const first = limits.acquire('a.test', true);
  await delay(60);
  const began = performance.now();
  const second = limits.acquire('b.test', true);
  await waitFor(() => limits.free() === 100, { what: 'both to be slow', interval_ms: 5 });
  assert.ok(performance.now() - began >= 99);
  for (const each of [first, second]) each();
});

test('a destination that answered is as unproven as any other once it does not', () => {
  const limits = createLimits();
  limits.learn('a.test', answered, 0);
  limits.learn('a.test', { ...answered, details: { attempt: 2 } }, 1);
  assert.deepEqual(limits.shares(2).responsive.destinations, []);
  assert.equal(limits.canAcquire('a.test', true, 2), true);
});

test('responsive destinations do not use the share of the unproven ones, and expire from it', () => {
  const limits = createLimits();
  limits.learn('responsive.test', answered, 0);
  const releases = Array.from({ length: 85 }, () => limits.acquire('responsive.test', true));
  assert.equal(limits.shares(1).per_lane, 1);
  for (const each of releases.splice(0)) each();
  assert.deepEqual(limits.shares(60_000).responsive.destinations, []);
  releases.push(...Array.from({ length: 80 }, () => limits.acquire('responsive.test', true)));
  assert.equal(limits.shares(60_000).per_lane, 0);
  for (const each of releases) each();
});
