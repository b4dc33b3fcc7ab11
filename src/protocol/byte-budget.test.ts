import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget, smallBytes } from './byte-budget.ts';

test('reservations of all owners stay within the total, and released bytes can be reserved again', () => {
  const budget = new ByteBudget({ total_bytes: 1_000, share_bytes: 1_000 });
  const [one, two] = [budget.hold('a'), budget.hold('b')];
  assert.equal(one.growTo(600), undefined);
  assert.equal(two.growTo(401), 'total');
  assert.equal(budget.used, 600);
  assert.equal(two.growTo(400), undefined);
  one.release();
  assert.equal(budget.used, 400);
  assert.equal(two.growTo(1_000), undefined);
  assert.deepEqual(budget.refused, { share: 0, total: 1 });
});

test('one owner has its share and no more, whatever is left', () => {
  const budget = new ByteBudget({ total_bytes: 1_000, share_bytes: 400 });
  const [first, second, other] = [budget.hold('a'), budget.hold('a'), budget.hold('b')];
  assert.equal(first.growTo(300), undefined);
  assert.equal(second.growTo(101), 'share');
  assert.equal(other.growTo(400), undefined);
  first.release();
  assert.equal(second.growTo(400), undefined);
  assert.deepEqual(budget.refused, { share: 1, total: 0 });
});

test('a hold grows to what it is asked for, never shrinks, and is released once', () => {
  const budget = new ByteBudget({ total_bytes: 1_000, share_bytes: 1_000 });
  const hold = budget.hold('a');
  hold.growTo(500);
  hold.growTo(200);
  assert.equal(budget.used, 500);
  assert.equal(hold.growTo(2_000), 'share');
  assert.equal(budget.used, 500);
  hold.release();
  hold.release();
  assert.equal(budget.used, 0);
});

test('large holds leave a part of every limit to small ones', () => {
  const mebibyte = 1024 * 1024;
  const budget = new ByteBudget({ total_bytes: 8 * mebibyte, share_bytes: 4 * mebibyte });
  assert.equal(budget.hold('a').growTo(3.5 * mebibyte), undefined);
  assert.equal(budget.hold('a').growTo(smallBytes + 1), 'share');
  assert.equal(budget.hold('a').growTo(smallBytes), undefined);
  assert.equal(budget.hold('b').growTo(3.4 * mebibyte), undefined);
  assert.equal(budget.hold('c').growTo(smallBytes + 1), 'total');
  assert.equal(budget.hold('c').growTo(smallBytes), undefined);
});

test('a hold below another budget needs room in both, and gives both back', () => {
  const above = new ByteBudget({ total_bytes: 1_000, share_bytes: 500 });
  const below = new ByteBudget({ total_bytes: 800, share_bytes: 300 }, () => above.hold('below'));
  const [a, b] = [below.hold('a'), below.hold('b')];
  assert.equal(a.growTo(301), 'share');
  assert.equal(a.growTo(300), undefined);
  assert.equal(b.growTo(201), 'share');
  assert.deepEqual([below.used, above.used], [300, 300]);
  assert.equal(b.growTo(200), undefined);
  assert.deepEqual([below.used, above.used], [500, 500]);
  a.release();
  b.release();
  assert.deepEqual([below.used, above.used], [0, 0]);
});
