import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthThrottle, type AuthThrottle } from './auth-throttle.ts';

function create(max_entries = 100): { throttle: AuthThrottle; pass: (ms: number) => void } {
  let time = 0;
  const throttle = createAuthThrottle({ failures: 5, forget_ms: 60_000, max_entries }, () => time);
  return { throttle, pass: (ms) => void (time += ms) };
}

function fail(throttle: AuthThrottle, source: string, username: string): void {
  for (let times = 0; times < 5; times += 1) throttle.failed(source, username);
}

test('five failures close the door to the source and to the name, for about a minute', () => {
  const { throttle, pass } = create();
  for (let times = 0; times < 4; times += 1) throttle.failed('192.0.2.1', 'ana');
  assert.equal(throttle.waitMs('192.0.2.1', 'ana'), 0);
  throttle.failed('192.0.2.1', 'ana');
  assert.equal(throttle.waitMs('192.0.2.1', 'eva'), 60_000);
  assert.equal(throttle.waitMs('192.0.2.9', 'ANA'), 60_000);
  assert.equal(throttle.waitMs('192.0.2.9', 'eva'), 0);
  pass(59_999);
  assert.ok(throttle.waitMs('192.0.2.1', 'ana') > 0);
  pass(1);
  assert.equal(throttle.waitMs('192.0.2.1', 'ana'), 0);
  throttle.failed('192.0.2.1', 'ana');
  assert.ok(throttle.waitMs('192.0.2.1', 'ana') > 0);
});

test('success forgets the failures', () => {
  const { throttle } = create();
  for (let times = 0; times < 4; times += 1) throttle.failed('192.0.2.1', 'ana');
  throttle.succeeded('192.0.2.1', 'ana');
  for (let times = 0; times < 4; times += 1) throttle.failed('192.0.2.1', 'ana');
  assert.equal(throttle.waitMs('192.0.2.1', 'ana'), 0);
});

test('guessing from elsewhere does not lock out who has signed in before', () => {
  const { throttle } = create();
  throttle.succeeded('192.0.2.1', 'ana');
  fail(throttle, '198.51.100.1', 'ana');
  assert.equal(throttle.waitMs('192.0.2.1', 'ana'), 0);
  assert.ok(throttle.waitMs('203.0.113.1', 'ana') > 0);
});

test('signing in as oneself does not reopen the door to another name', () => {
  const { throttle } = create();
  fail(throttle, '192.0.2.1', 'ana');
  throttle.succeeded('192.0.2.1', 'mallory');
  assert.ok(throttle.waitMs('192.0.2.1', 'ana') > 0);
});

test('however many failures there are, the wait is bounded', () => {
  const { throttle } = create();
  for (let times = 0; times < 1000; times += 1) throttle.failed('192.0.2.1', 'ana');
  assert.equal(throttle.waitMs('192.0.2.1', 'ana'), 6 * 60_000);
});

test('memory is bounded, and what is oldest is forgotten first', () => {
  const { throttle } = create(10);
  fail(throttle, 'early', 'early');
  for (let each = 0; each < 1000; each += 1) {
    throttle.failed(`s${each}`, `n${each}`);
    throttle.succeeded(`t${each}`, `m${each}`);
  }
  assert.ok(throttle.size <= 20);
  assert.equal(throttle.waitMs('early', 'early'), 0);
});
