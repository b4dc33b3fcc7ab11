import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBinaries, thisTarget } from './binaries.ts';
import { serverSettings } from './server-settings.ts';

const gb = 1024 ** 3;

test('the installed binaries are found with their version', () => {
  const { version, major } = findBinaries(thisTarget());
  assert.equal(major, '18');
  assert.ok(version.startsWith('18.'));
});

test('a platform without binaries is named in one line that says what to do', () => {
  const target = { platform: 'sunos', arch: 'sparc', has_glibc: false };
  assert.throws(() => findBinaries(target), {
    name: 'EmbeddedPostgresError',
    message: /^There is no embedded PostgreSQL for sunos-sparc .*, or set DATABASE_URL.*$/,
  });
});

test('a system without glibc is named in one line that says what to do', () => {
  assert.throws(() => findBinaries({ ...thisTarget(), platform: 'linux', has_glibc: false }, '/nowhere'), {
    name: 'EmbeddedPostgresError',
    message: /needs glibc and this system has none .*Debian, or set DATABASE_URL.*$/,
  });
});

test('an eighth of the memory serves as buffers, within bounds', () => {
  const buffersFor = (memory: number): string | undefined => {
    const machine = { memory_bytes: memory, cpus: 4 };
    return serverSettings({ machine, socket_dir: '/run', durable: true, overrides: {} })['shared_buffers'];
  };
  assert.equal(buffersFor(4 * gb), '512MB');
  assert.equal(buffersFor(64 * gb), '1024MB');
  assert.equal(buffersFor(gb / 100), '16MB');
});
