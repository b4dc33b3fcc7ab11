import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JumpKeys, jumps } from '../../panel/src/shell/jumps.ts';

test('g and a letter soon after it lead to a page, each letter to one', () => {
  const keys = new JumpKeys();
  assert.deepEqual([keys.press('g', 0), keys.press('m', 400)], [undefined, 'mails']);
  assert.equal(keys.press('m', 500), undefined, 'a jump is over once it is made');
  assert.deepEqual([keys.press('g', 1_000), keys.press('m', 3_000)], [undefined, undefined], 'too late');
  assert.deepEqual(
    [keys.press('g', 5_000), keys.press('z', 5_100), keys.press('m', 5_200)],
    [undefined, undefined, undefined],
  );
  assert.equal(new Set(Object.values(jumps)).size, Object.keys(jumps).length);
  assert.equal(jumps['g'], undefined);
});
