import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, sandboxOf } from '../src/pages/overview/figure-places.ts';

test('the lists behind figures have their range, filters and the same choice of the sandbox', () => {
  const state = { range: '7d', domain_id: '4', category: 'orders', page: '2' };
  assert.deepEqual(placeOf('bounced', state), {
    page: 'mails',
    search: {
      status: '6',
      sandbox: 'false',
      range: '7d',
      sender_id: undefined,
      domain_id: '4',
      category: 'orders',
      custom_group_code: undefined,
    },
  });
  assert.equal(placeOf('sent', { sandbox: 'all' }).search['sandbox'], undefined);
  assert.equal(placeOf('sent', { sandbox: 'only' }).search['sandbox'], 'true');
  assert.equal(placeOf('complaints', {}).search['sandbox'], undefined);
});

test('figures leave the sandbox out unless it is asked for', () => {
  assert.deepEqual(
    [sandboxOf({}), sandboxOf({ sandbox: 'all' }), sandboxOf({ sandbox: 'only' })],
    [false, undefined, true],
  );
});
