import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelaySeconds } from './backoff.ts';

const minutes = (attempt: number, random: number): number => retryDelaySeconds({ attempt, random }) / 60;

test('the schedule is 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, then every 4 h, give or take a tenth', () => {
  const schedule = [1, 5, 15, 30, 60, 120, 240, 240];
  for (const [index, expected] of schedule.entries()) {
    assert.ok(Math.abs(minutes(index + 1, 0.5) - expected) < 1e-9, `attempt ${index + 1}`);
    assert.ok(minutes(index + 1, 0) >= expected * 0.9 - 1e-9);
    assert.ok(minutes(index + 1, 1) <= expected * 1.1 + 1e-9);
  }
});

test('a delay asked for by the server is used, with a lower bound that grows with the attempts', () => {
  assert.ok(Math.abs(retryDelaySeconds({ attempt: 1, random: 0.5, asked_seconds: 300 }) - 316) < 1e-9);
  assert.equal(retryDelaySeconds({ attempt: 5, random: 0.5, asked_seconds: 1 }), 25);
  assert.equal(retryDelaySeconds({ attempt: 1_000, random: 0.5, asked_seconds: 1 }), 14_400);
  assert.equal(retryDelaySeconds({ attempt: 1, random: 0.5, asked_seconds: 1e9 }), 14_400);
});
