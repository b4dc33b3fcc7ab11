import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Deadline } from './deadline.ts';

function setUp(t: TestContext) {
  const began = performance.now();
  const { promise, resolve } = Promise.withResolvers<{ after: number; ms: number }>();
  let times = 0;
  const deadline = new Deadline((ms) => {
    times += 1;
    resolve({ after: performance.now() - began, ms });
  });
  t.after(() => deadline.end());
  return { deadline, expiry: promise, times: () => times };
}

test('a deadline expires once, after the time that was set last', async (t) => {
  const { deadline, expiry, times } = setUp(t);
  deadline.set(10);
  deadline.set(60);
  const { after, ms } = await expiry;
  assert.equal(ms, 60);
  assert.ok(after >= 60, `${after} ms`);
  await delay(80);
  assert.equal(times(), 1);
});

test('a shorter time counts from when it is set', async (t) => {
  const { deadline, expiry } = setUp(t);
  deadline.set(60_000);
  deadline.set(30);
  assert.equal((await expiry).ms, 30);
});

test('one that was lifted does not expire, and can be set again', async (t) => {
  const { deadline, expiry, times } = setUp(t);
  deadline.set(10);
  deadline.lift();
  await delay(40);
  assert.equal(times(), 0);
  deadline.set(10);
  assert.equal((await expiry).ms, 10);
});

test('one that was ended never expires', async (t) => {
  const { deadline, times } = setUp(t);
  deadline.set(10);
  deadline.end();
  deadline.set(10);
  await delay(40);
  assert.equal(times(), 0);
});
