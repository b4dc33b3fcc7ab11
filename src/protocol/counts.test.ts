import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counts } from './counts.ts';

test('counts by key and in total, and forgets keys without a count', () => {
  const counts = new Counts<string>();
  counts.add('a');
  counts.add('a');
  counts.add('b', 5);
  assert.deepEqual([counts.of('a'), counts.of('b'), counts.of('c'), counts.total], [2, 5, 0, 7]);
  counts.remove('b', 4);
  counts.remove('a', 2);
  assert.deepEqual([...counts.entries()], [['b', 1]]);
  assert.equal(counts.total, 1);
});
