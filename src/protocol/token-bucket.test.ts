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

test('what is refused takes nothing', () => {
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

test('time that goes backwards gives nothing and takes nothing', () => {
  const bucket = new TokenBucket(rate, 5_000);
  bucket.overdraw(10, 5_000);
  assert.equal(bucket.available(1_000), 10);
});
