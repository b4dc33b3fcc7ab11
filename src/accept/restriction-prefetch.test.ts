import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdProcessTime } from '../../test/support/hold-process-time.ts';
import { RestrictionPrefetch } from './restriction-prefetch.ts';

function setup() {
  const lookedUp: string[] = [];
  let broken = false;
  const prefetch = new RestrictionPrefetch({
    instance_id: 7,
    async find({ instance_id, addresses }) {
      lookedUp.push(...addresses.map((address) => `${instance_id} ${address}`));
      if (broken) throw new Error('no database');
      const gone = addresses.filter((address) => address.startsWith('gone'));
      return await Promise.resolve(new Map(gone.map((address) => [address, { is_restricted: true }])));
    },
  });
  return { prefetch, lookedUp, breakDown: () => (broken = true) };
}

test('recipients are looked up once, when they are named, and known when the message arrives', async (t) => {
  const time = holdProcessTime(t);
  const { prefetch, lookedUp } = setup();
  prefetch.start('a@b.cl');
  prefetch.start('gone@b.cl');
  assert.deepEqual(lookedUp, ['7 a@b.cl', '7 gone@b.cl']);
  time.advance(100);
  assert.deepEqual(
    await prefetch.suppressed(['a@b.cl', 'gone@b.cl']),
    new Map([['gone@b.cl', { is_restricted: true }]]),
  );
  assert.deepEqual(await prefetch.suppressed(['a@b.cl']), new Map());
  assert.equal(lookedUp.length, 2);
});

test('an answer that expired while the message was on its way is not used', async (t) => {
  const time = holdProcessTime(t);
  const { prefetch } = setup();
  prefetch.start('a@b.cl');
  time.advance(90);
  prefetch.start('b@b.cl');
  time.advance(11);
  assert.equal(await prefetch.suppressed(['b@b.cl']), undefined);
});

test('an address that was not looked up is unknown', async () => {
  const { prefetch } = setup();
  prefetch.start('a@b.cl');
  assert.equal(await prefetch.suppressed(['a@b.cl', 'c@b.cl']), undefined);
});

test('a failed look-up counts as none, and its error is not reported', async () => {
  const { prefetch, breakDown } = setup();
  prefetch.start('a@b.cl');
  breakDown();
  prefetch.start('gone@b.cl');
  assert.equal(await prefetch.suppressed(['a@b.cl', 'gone@b.cl']), undefined);
  assert.deepEqual(await prefetch.suppressed(['a@b.cl']), new Map());
});
