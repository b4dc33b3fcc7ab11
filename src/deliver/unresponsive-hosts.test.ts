import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { createUnresponsiveHosts } from './unresponsive-hosts.ts';

test('a server that timed out is skipped for half a minute, or until it answers', () => {
  const clock = createMovableClock('2026-01-01T00:00:00Z');
  const hosts = createUnresponsiveHosts(clock);
  hosts.failed('192.0.2.1', { kind: 'timeout', phase: 'greeting' });
  hosts.failed('192.0.2.2', { kind: 'timeout', phase: 'connect' });
  clock.advance(12_000);
  assert.deepEqual(
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => hosts.unresponsiveFor(address)),
    [12, 12, undefined],
  );
  hosts.reached('192.0.2.2');
  assert.deepEqual([hosts.unresponsiveFor('192.0.2.2'), hosts.isDown('192.0.2.2')], [undefined, false]);
  clock.advance(18_000);
  assert.deepEqual([hosts.unresponsiveFor('192.0.2.1'), hosts.isDown('192.0.2.1')], [undefined, true]);
});

test('a server that refused at once, or timed out later in the session, is not skipped', () => {
  const hosts = createUnresponsiveHosts(createMovableClock('2026-01-01T00:00:00Z'));
  hosts.failed('192.0.2.1', { kind: 'refused', phase: 'connect' });
  hosts.failed('192.0.2.2', { kind: 'timeout', phase: 'starttls' });
  assert.deepEqual(
    ['192.0.2.1', '192.0.2.2'].map((address) => hosts.unresponsiveFor(address)),
    [undefined, undefined],
  );
  assert.equal(hosts.isDown('192.0.2.1'), true);
});
