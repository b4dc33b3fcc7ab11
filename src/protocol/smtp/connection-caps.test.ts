import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConnectionCaps, type CapLimits, type CapRefusal, type Seat } from './connection-caps.ts';

function setUp(limits: Partial<CapLimits>) {
  const caps = createConnectionCaps({
    max_connections: 100,
    max_connections_per_source: 100,
    max_unauthenticated: 100,
    max_unauthenticated_per_source: 100,
    ...limits,
  });
  const evicted: string[] = [];
  const open = (address: string): Seat => {
    const seat = caps.admit(address, () => evicted.push(address));
    return typeof seat === 'string' ? assert.fail(seat) : seat;
  };
  const refused = (address: string): CapRefusal => {
    const seat = caps.admit(address, () => assert.fail('was refused'));
    return typeof seat === 'string' ? seat : assert.fail('was admitted');
  };
  return { caps, open, refused, evicted };
}

test('one source has few places until it authenticates, and more after that', () => {
  const { caps, open, refused } = setUp({ max_unauthenticated_per_source: 2, max_connections_per_source: 3 });
  const first = open('192.0.2.1');
  open('192.0.2.1');
  assert.equal(refused('192.0.2.1'), 'too_many_unauthenticated_from_source');
  open('192.0.2.2');
  first.authenticated();
  open('192.0.2.1');
  assert.equal(refused('192.0.2.1'), 'too_many_from_source');
  assert.deepEqual([caps.authenticated, caps.unauthenticated], [1, 3]);
});

test('an IPv6 /64 is one source', () => {
  const { open, refused } = setUp({ max_unauthenticated_per_source: 1 });
  open('2001:db8::1');
  assert.equal(refused('2001:db8::ffff:1'), 'too_many_unauthenticated_from_source');
  open('2001:db8:0:1::1');
});

test('when the unauthenticated are too many, the oldest of the largest network makes room', () => {
  const { caps, open, evicted } = setUp({ max_unauthenticated: 4 });
  open('198.51.100.1');
  for (const host of [1, 2, 3]) open(`192.0.2.${host}`);
  open('203.0.113.1');
  assert.deepEqual(evicted, ['192.0.2.1']);
  assert.equal(caps.unauthenticated, 4);
  open('203.0.113.2').authenticated();
  assert.deepEqual(evicted, ['192.0.2.1', '192.0.2.2']);
});

test('those who have authenticated are never moved, and keep their places from the others', () => {
  const { caps, open, refused, evicted } = setUp({ max_connections: 4, max_unauthenticated: 2 });
  open('192.0.2.1').authenticated();
  for (const host of [1, 2, 3, 4]) open(`198.51.100.${host}`);
  assert.deepEqual([caps.authenticated, caps.unauthenticated], [1, 2]);
  for (const host of [1, 2, 3]) open(`203.0.113.${host}`).authenticated();
  assert.deepEqual([caps.authenticated, caps.unauthenticated], [4, 0]);
  assert.equal(refused('192.0.2.9'), 'too_many');
  assert.ok(evicted.every((address) => address.startsWith('198.51.100.')));
});

test('a place is free again once, however often it is left', () => {
  const { caps, open } = setUp({ max_unauthenticated: 1 });
  const first = open('192.0.2.1');
  const second = open('192.0.2.2');
  first.leave();
  first.authenticated();
  assert.deepEqual([caps.authenticated, caps.unauthenticated], [0, 1]);
  second.authenticated();
  second.leave();
  second.leave();
  assert.deepEqual([caps.authenticated, caps.unauthenticated], [0, 0]);
});
