import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConcurrencyLimits, type ConcurrencyLimits } from './concurrency-limits.ts';

const freeSlots = (limits: ConcurrencyLimits, webhook: number, now: number): number => {
  const { limits: per_webhook, default_limit } = limits.shares(now);
  return per_webhook.get(webhook) ?? default_limit;
};

test('a responsive webhook has a higher limit than an unproven one', () => {
  const limits = createConcurrencyLimits(100);
  assert.deepEqual(limits.shares(0), { free: 100, limits: new Map(), default_limit: 2 });
  const release = limits.acquire(1);
  limits.learn(1, true, 0);
  assert.equal(freeSlots(limits, 1, 1), 9);
  assert.equal(freeSlots(limits, 1, 60_000), 1, 'responsiveness expires after a minute');
  release();
  assert.equal(freeSlots(limits, 1, 60_000), 2);
});

test('a failing webhook gets one delivery at a time, with exponential backoff up to half a minute', () => {
  const limits = createConcurrencyLimits(100);
  let now = 0;
  for (let failure = 1; failure < 5; failure += 1) limits.learn(1, false, now);
  assert.equal(freeSlots(limits, 1, now), 2);
  for (const rest of [1, 2, 4, 8, 16, 30, 30]) {
    limits.learn(1, false, now);
    assert.equal(freeSlots(limits, 1, now + rest * 1000 - 1), 0, `${rest} s`);
    now += rest * 1000;
    assert.equal(freeSlots(limits, 1, now), 1, `${rest} s`);
  }
  const release = limits.acquire(1);
  assert.equal(freeSlots(limits, 1, now), 0, 'one at a time');
  release();
  limits.learn(1, true, now);
  assert.equal(freeSlots(limits, 1, now), 10);
});

test('a failing webhook does not wait for a clock that was set back', () => {
  const limits = createConcurrencyLimits(100);
  const hourMs = 3_600_000;
  for (let failure = 0; failure < 9; failure += 1) limits.learn(1, false, hourMs);
  assert.equal(freeSlots(limits, 1, hourMs), 0);
  assert.equal(freeSlots(limits, 1, 0), 1);
});

test('a changed webhook starts without failures', () => {
  const limits = createConcurrencyLimits(100);
  for (let failure = 0; failure < 9; failure += 1) limits.learn(1, false, 0);
  assert.equal(freeSlots(limits, 1, 0), 0);
  limits.reset(1);
  assert.equal(freeSlots(limits, 1, 0), 2);
});

test('unproven webhooks together use at most half of the slots', () => {
  const limits = createConcurrencyLimits(100);
  limits.learn(1, true, 0);
  for (let webhook = 2; webhook <= 51; webhook += 1) limits.acquire(webhook);
  const { free, limits: per_webhook, default_limit } = limits.shares(1);
  assert.deepEqual([free, default_limit, per_webhook.get(1), per_webhook.get(2)], [50, 0, 10, undefined]);
});
