import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdProcessTime } from '../../test/support/hold-process-time.ts';
import { BoundedMap } from './bounded-map.ts';

test('beyond its bound the entry that was set longest ago makes room', () => {
  const map = new BoundedMap<string, number>({ max_entries: 2 });
  map.set('a', 1);
  map.set('b', 2);
  assert.equal(map.get('a'), 1);
  map.set('c', 3);
  assert.deepEqual([...map.keys()], ['b', 'c']);
  map.set('b', 4);
  map.set('d', 5);
  assert.deepEqual([map.get('b'), map.get('c'), map.get('d')], [4, undefined, 5]);
  assert.equal(map.size, 2);
});

test('or the one that was not used for longest', () => {
  const map = new BoundedMap<string, number>({ max_entries: 2, evicts: 'least_recently_used' });
  map.set('a', 1);
  map.set('b', 2);
  assert.equal(map.get('a'), 1);
  map.set('c', 3);
  assert.deepEqual([...map.keys()], ['a', 'c']);
  // To be looked for is not to be used.
  assert.equal(map.has('a'), true);
  map.set('d', 4);
  assert.deepEqual([...map.keys()], ['c', 'd']);
});

test('an entry expires after its time, whichever of the two it is', (t) => {
  const time = holdProcessTime(t);
  const map = new BoundedMap<string, number>({ max_entries: 10, ttl_ms: 100 });
  map.set('usual', 1);
  map.set('short', 2, 10);
  map.set('long', 3, 1_000);
  time.advance(10);
  assert.deepEqual([...map.keys()], ['usual', 'long']);
  time.advance(89);
  assert.equal(map.get('usual'), 1);
  time.advance(1);
  assert.deepEqual([map.get('usual'), map.has('usual'), map.get('long')], [undefined, false, 3]);
  assert.equal(map.size, 1, 'what was found to have expired is gone');
  map.set('usual', 4);
  assert.equal(map.get('usual'), 4);
});

test('undefined is a value that is remembered', () => {
  const map = new BoundedMap<string, number | undefined>({ max_entries: 1 });
  map.set('a', undefined);
  assert.deepEqual([map.get('a'), map.has('a'), map.has('b')], [undefined, true, false]);
});

test('a missing entry is made once', () => {
  const map = new BoundedMap<string, object>({ max_entries: 2, evicts: 'least_recently_used' });
  const made = map.getOrSet('a', () => ({}));
  assert.equal(
    map.getOrSet('a', () => ({})),
    made,
  );
  map.delete('a');
  assert.notEqual(
    map.getOrSet('a', () => ({})),
    made,
  );
  map.clear();
  assert.equal(map.size, 0);
});
