import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { thisProcess } from '../../processes/process-identity.ts';
import { tryStartLock } from './start-lock.ts';

function lockFile(t: TestContext): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'chasqui-lock-'));
  t.after(() => rmSync(dir, { recursive: true }));
  return path.join(dir, 'start.lock');
}

test('only one holds the lock, and it is free again after its release', (t) => {
  const file = lockFile(t);
  const release = tryStartLock(file);
  assert.ok(release);
  assert.equal(tryStartLock(file), undefined);
  release();
  const next = tryStartLock(file);
  assert.ok(next);
  release(); // a second release must not free the lock of another process
  assert.equal(tryStartLock(file), undefined);
  next();
  assert.deepEqual(readdirSync(path.dirname(file)), []);
});

test('the lock of a process that has gone is broken, even when its pid lives on in another', (t) => {
  const file = lockFile(t);
  for (const holder of [
    { pid: 2 ** 22 + 1, started_at: 'x' },
    { ...thisProcess(), started_at: 'another boot/1' },
  ]) {
    writeFileSync(file, JSON.stringify(holder));
    const release = tryStartLock(file);
    assert.ok(release);
    release();
  }
  assert.deepEqual(readdirSync(path.dirname(file)), []);
});

test('a lock without an owner is respected while it may still be filled', (t) => {
  const file = lockFile(t);
  writeFileSync(file, '');
  assert.equal(tryStartLock(file), undefined);
  const aMinuteAgo = new Date(Date.now() - 60_000);
  utimesSync(file, aMinuteAgo, aMinuteAgo);
  assert.ok(tryStartLock(file));
});
