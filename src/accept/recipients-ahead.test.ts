import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { RecipientsAhead } from './recipients-ahead.ts';

function bed() {
  const clock = createMovableClock('2026-12-01T12:00:00Z');
  const asked: string[] = [];
  let broken = false;
  const ahead = new RecipientsAhead({
    clock,
    instance_id: 7,
    async find({ instance_id, addresses }) {
      asked.push(...addresses.map((address) => `${instance_id} ${address}`));
      if (broken) throw new Error('no database');
      return await Promise.resolve(new Set(addresses.filter((address) => address.startsWith('gone'))));
    },
  });
  return { ahead, asked, clock, breakDown: () => (broken = true) };
}

test('who was named is asked about once, at once, and known when the message is there', async () => {
  const { ahead, asked, clock } = bed();
  ahead.ask('a@b.cl');
  ahead.ask('gone@b.cl');
  assert.deepEqual(asked, ['7 a@b.cl', '7 gone@b.cl']);
  clock.advance(100);
  assert.deepEqual(await ahead.restricted(['a@b.cl', 'gone@b.cl']), new Set(['gone@b.cl']));
  assert.deepEqual(await ahead.restricted(['a@b.cl']), new Set());
  assert.equal(asked.length, 2);
});

test('an answer that grew old while the message was on its way is none', async () => {
  const { ahead, clock } = bed();
  ahead.ask('a@b.cl');
  clock.advance(90);
  ahead.ask('b@b.cl');
  clock.advance(11);
  assert.equal(await ahead.restricted(['b@b.cl']), undefined);
});

test('nothing is known of whom nobody asked about', async () => {
  const { ahead } = bed();
  ahead.ask('a@b.cl');
  assert.equal(await ahead.restricted(['a@b.cl', 'c@b.cl']), undefined);
});

test('a question that failed is as good as none, and nobody hears of it', async () => {
  const { ahead, breakDown } = bed();
  ahead.ask('a@b.cl');
  breakDown();
  ahead.ask('gone@b.cl');
  assert.equal(await ahead.restricted(['a@b.cl', 'gone@b.cl']), undefined);
  assert.deepEqual(await ahead.restricted(['a@b.cl']), new Set());
});
