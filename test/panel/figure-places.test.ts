import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figureNames, placeOf } from '../../panel/src/pages/overview/figure-places.ts';

test('each figure leads to its list with the range and the filters of the overview', () => {
  for (const name of figureNames) {
    const { search } = placeOf(name, { range: '7d', sender_id: '3', page: '2' });
    assert.deepEqual([search['range'], search['sender_id'], search['page']], ['7d', '3', undefined], name);
  }
  assert.equal(placeOf('bounced', { range: '7d' }).search['status'], '6');
  assert.equal(placeOf('complaints', { range: '7d' }).search['list'], 'complaints');
});
