import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenBucket } from './token-bucket.ts';

const rate = { per_second: 10, burst: 20 };

test('a bucket is full at first, gives what it has, and fills with time up to its burst', () => {
  const bucket = new TokenBucket(rate, 1_000);
  assert.equal(bucket.take(20, 1_000), true);
  assert.equal(bucket.take(1, 1_099), false);
  assert.equal(bucket.take(1, 1_100), true);
  assert.equal(bucket.available(1_600), 5);
  assert.equal(bucket.available(1_000_000), 20);
  assert.equal(bucket.take(21, 1_000_000), false);
});

test('a refused take removes nothing', () => {
  const bucket = new TokenBucket(rate, 0);
  bucket.take(15, 0);
  assert.equal(bucket.take(6, 0), false);
  assert.equal(bucket.take(5, 0), true);
});

test('an overdrawn bucket gives nothing until its debt is paid, and says how long that takes', () => {
  const bucket = new TokenBucket(rate, 0);
  bucket.overdraw(50, 0);
  assert.equal(bucket.available(0), -30);
  assert.equal(bucket.waitMs(0, 0), 3_000);
  assert.equal(bucket.waitMs(1, 1_000), 2_100);
  assert.equal(bucket.take(1, 3_099), false);
  assert.equal(bucket.take(1, 3_100), true);
  assert.equal(new TokenBucket(rate, 0).waitMs(20, 0), 0);
});

test('a clock that is set back gives nothing, takes nothing, and goes on from there', () => {
  const bucket = new TokenBucket(rate, 5_000);
  bucket.overdraw(20, 5_000);
  assert.equal(bucket.available(1_000), 0);
  assert.equal(bucket.take(10, 1_999), false);
  assert.equal(bucket.take(10, 2_000), true);
});

test('a rate that is changed counts from then on, and bounds what is there', () => {
  const bucket = new TokenBucket(rate, 0);
  bucket.overdraw(20, 0);
  bucket.change({ per_second: 1, burst: 4 }, 500);
  assert.equal(bucket.available(500), 4);
  bucket.overdraw(4, 500);
  assert.equal(bucket.available(2_500), 2);
});

test('fractions that should make up a token do', () => {
  const bucket = new TokenBucket({ per_second: 3, burst: 1 }, 0);
  bucket.take(1, 0);
  for (let ms = 0; ms <= 333; ms += 1) bucket.available(ms);
  assert.equal(bucket.take(1, 1_000 / 3), true);
});
