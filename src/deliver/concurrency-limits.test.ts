import assert from 'node:assert/strict';
import { test } from 'node:test';
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
