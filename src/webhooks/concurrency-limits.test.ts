import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConcurrencyLimits, type ConcurrencyLimits } from './concurrency-limits.ts';

const roomOf = (room: ConcurrencyLimits, webhook: number, now: number): number => {
  const { room: shares, others } = room.shares(now);
  return shares.get(webhook) ?? others;
};

test('a webhook that answers gets more room than one nobody knows', () => {
  const room = createConcurrencyLimits(100);
  assert.deepEqual(room.shares(0), { free: 100, room: new Map(), others: 2 });
  room.enter(1);
  room.learn(1, true, 0);
  assert.equal(roomOf(room, 1, 1), 9);
  assert.equal(roomOf(room, 1, 60_000), 1, 'an answer tells for a minute');
  room.leave(1);
  assert.equal(roomOf(room, 1, 60_000), 2);
});

test('one that keeps failing is asked one at a time, after rests that grow to half a minute', () => {
  const room = createConcurrencyLimits(100);
  let now = 0;
  for (let failure = 1; failure < 5; failure += 1) room.learn(1, false, now);
  assert.equal(roomOf(room, 1, now), 2);
  for (const rest of [1, 2, 4, 8, 16, 30, 30]) {
    room.learn(1, false, now);
    assert.equal(roomOf(room, 1, now + rest * 1000 - 1), 0, `${rest} s`);
    now += rest * 1000;
    assert.equal(roomOf(room, 1, now), 1, `${rest} s`);
  }
  room.enter(1);
  assert.equal(roomOf(room, 1, now), 0, 'one at a time');
  room.leave(1);
  room.learn(1, true, now);
  assert.equal(roomOf(room, 1, now), 10);
});

test('a changed webhook begins anew', () => {
  const room = createConcurrencyLimits(100);
  for (let failure = 0; failure < 9; failure += 1) room.learn(1, false, 0);
  assert.equal(roomOf(room, 1, 0), 0);
  room.forget(1);
  assert.equal(roomOf(room, 1, 0), 2);
});

test('webhooks that do not answer take half of the room together, and leave the rest to those that do', () => {
  const room = createConcurrencyLimits(100);
  room.learn(1, true, 0);
  for (let webhook = 2; webhook <= 51; webhook += 1) room.enter(webhook);
  const { free, room: shares, others } = room.shares(1);
  assert.deepEqual([free, others, shares.get(1), shares.get(2)], [50, 0, 10, undefined]);
});
