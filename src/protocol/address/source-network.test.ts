import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback, networkOf, sourceOf } from './source-network.ts';

test('an IPv4 address is a source of its own, also when written as IPv6', () => {
  assert.equal(sourceOf('192.0.2.1'), '192.0.2.1');
  assert.equal(sourceOf('::ffff:192.0.2.1'), '192.0.2.1');
});

test('IPv6 addresses of one /64 are one source', () => {
  assert.equal(sourceOf('2001:db8::1'), sourceOf('2001:db8:0:0:ffff::2'));
  assert.notEqual(sourceOf('2001:db8::1'), sourceOf('2001:db8:0:1::1'));
});

test('loopback is told in every notation', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(address));
  for (const address of ['192.0.2.1', '::', '2001:db8::1', 'nonsense']) assert.ok(!isLoopback(address));
});

test('a network is an IPv4 /24 or an IPv6 /56', () => {
  assert.equal(networkOf('192.0.2.1'), networkOf('::ffff:192.0.2.254'));
  assert.notEqual(networkOf('192.0.2.1'), networkOf('192.0.3.1'));
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
  assert.notEqual(networkOf('2001:db8:1::1'), networkOf('2001:db8:2::1'));
});
