import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { createSilentHosts } from './silent-hosts.ts';

test('a server that let us wait is left alone for half a minute, or until it answers', () => {
  const clock = createMovableClock('2026-01-01T00:00:00Z');
  const hosts = createSilentHosts(clock);
  hosts.failed('192.0.2.1', { kind: 'timeout', phase: 'greeting' });
  hosts.failed('192.0.2.2', { kind: 'timeout', phase: 'connect' });
  clock.advance(12_000);
  assert.deepEqual(
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => hosts.silentFor(address)),
    [12, 12, undefined],
  );
  hosts.reached('192.0.2.2');
  assert.deepEqual([hosts.silentFor('192.0.2.2'), hosts.isDown('192.0.2.2')], [undefined, false]);
  clock.advance(18_000);
  assert.deepEqual([hosts.silentFor('192.0.2.1'), hosts.isDown('192.0.2.1')], [undefined, true]);
});

test('one that refused at once, or fell silent in the middle, costs nothing to try again', () => {
  const hosts = createSilentHosts(createMovableClock('2026-01-01T00:00:00Z'));
  hosts.failed('192.0.2.1', { kind: 'refused', phase: 'connect' });
  hosts.failed('192.0.2.2', { kind: 'timeout', phase: 'starttls' });
  assert.deepEqual(
    ['192.0.2.1', '192.0.2.2'].map((address) => hosts.silentFor(address)),
    [undefined, undefined],
  );
  assert.equal(hosts.isDown('192.0.2.1'), true);
});
