import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom } from './room.ts';

test('a webhook that answers gets more room than one nobody knows', () => {
  const room = createRoom(100);
  assert.deepEqual(room.shares(0), { free: 100, room: new Map(), others: 2 });
  room.enter(1);
  room.learn(1, true, 0);
  assert.equal(room.shares(1).room.get(1), 9);
  assert.equal(room.shares(60_000).room.get(1), 1, 'an answer tells for a minute');
  room.leave(1);
  assert.equal(room.shares(60_000).room.get(1), 2);
});

test('one that keeps failing is asked one at a time, after rests that grow to half a minute', () => {
  const room = createRoom(100);
  let now = 0;
  for (let failure = 1; failure < 5; failure += 1) room.learn(1, false, now);
  assert.equal(room.shares(now).room.get(1), 2);
  for (const rest of [1, 2, 4, 8, 16, 30, 30]) {
    room.learn(1, false, now);
    assert.equal(room.shares(now + rest * 1000 - 1).room.get(1), 0, `${rest} s`);
    now += rest * 1000;
    assert.equal(room.shares(now).room.get(1), 1, `${rest} s`);
  }
  room.enter(1);
  assert.equal(room.shares(now).room.get(1), 0, 'one at a time');
  room.leave(1);
  room.learn(1, true, now);
  assert.equal(room.shares(now).room.get(1), 10);
});

test('a changed webhook begins anew', () => {
  const room = createRoom(100);
  for (let failure = 0; failure < 9; failure += 1) room.learn(1, false, 0);
  assert.equal(room.shares(0).room.get(1), 0);
  room.forget(1);
  assert.equal(room.shares(0).room.get(1), 2);
});

test('webhooks that do not answer take half of the room together, and leave the rest to those that do', () => {
  const room = createRoom(100);
  room.learn(1, true, 0);
  for (let webhook = 2; webhook <= 51; webhook += 1) room.enter(webhook);
  const { free, room: shares, others } = room.shares(1);
  assert.deepEqual([free, others, shares.get(1), shares.get(2)], [50, 0, 10, 0]);
});
