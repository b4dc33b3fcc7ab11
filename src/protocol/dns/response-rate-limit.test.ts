import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../address/source-network.ts';
import { createResponseRateLimit } from './response-rate-limit.ts';

const zoneOptions = { per_second: 10, burst: 5, max_sources: 100 };

function decisions(count: number, decide: () => string): string[] {
  return Array.from({ length: count }, decide);
}

test('a burst is answered, then every second answer is truncated and the others dropped', () => {
  const limit = createResponseRateLimit(zoneOptions, () => 0);
  assert.deepEqual(
    decisions(5, () => limit.decide('192.0.2.1')),
    decisions(5, () => 'answer'),
  );
  assert.deepEqual(
    decisions(4, () => limit.decide('192.0.2.1')),
    ['drop', 'truncate', 'drop', 'truncate'],
  );
});

test('answers come back with time, never above the burst', () => {
  let now = 0;
  const limit = createResponseRateLimit(zoneOptions, () => now);
  decisions(5, () => limit.decide('192.0.2.1'));
  now += 100;
  assert.equal(limit.decide('192.0.2.1'), 'answer');
  assert.notEqual(limit.decide('192.0.2.1'), 'answer');
  now += 3_600_000;
  const later = decisions(20, () => limit.decide('192.0.2.1'));
  assert.equal(later.filter((verdict) => verdict === 'answer').length, 5);
});

test('a flood gets no more answers than the rate allows', () => {
  let now = 0;
  const limit = createResponseRateLimit(zoneOptions, () => now);
  const verdicts = decisions(10_000, () => {
    now += 1;
    return limit.decide('192.0.2.7');
  });
  const answered = verdicts.filter((verdict) => verdict === 'answer').length;
  assert.ok(answered >= 100 && answered <= 106, String(answered));
});

test('the addresses of one network share a bucket and others do not', () => {
  const limit = createResponseRateLimit({ ...zoneOptions, burst: 1 }, () => 0);
  assert.equal(limit.decide('192.0.2.1'), 'answer');
  assert.equal(limit.decide('192.0.2.250'), 'drop');
  assert.equal(limit.decide('::ffff:192.0.2.9'), 'truncate');
  assert.equal(limit.decide('192.0.3.1'), 'answer');
  assert.equal(limit.decide('2001:db8:0:100::1'), 'answer');
  assert.equal(limit.decide('2001:db8:0:1ff:ffff::2'), 'drop');
  assert.equal(limit.decide('2001:db8:0:200::1'), 'answer');
});

test('a scoped address has a network too', () => {
  assert.equal(networkOf('fe80::1%eth0'), networkOf('fe80::2'));
});

test('memory is bounded and the least recent source goes first', () => {
  const limit = createResponseRateLimit({ per_second: 1, burst: 1, max_sources: 3 }, () => 0);
  for (const source of ['10.0.1.1', '10.0.2.1', '10.0.3.1', '10.0.1.1', '10.0.4.1']) limit.decide(source);
  assert.equal(limit.size, 3);
  assert.notEqual(limit.decide('10.0.1.1'), 'answer');
  assert.equal(limit.decide('10.0.2.1'), 'answer');
  for (let index = 0; index < 5000; index += 1) limit.decide(`10.${index >> 8}.${index & 0xff}.1`);
  assert.equal(limit.size, 3);
});
