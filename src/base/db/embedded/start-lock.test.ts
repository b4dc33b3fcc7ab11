import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { findStartTime, isRunning, runsWithArgument, thisProcess } from './process-identity.ts';
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
  release(); // a second release must not free somebody else's lock
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

test('a lock that names nobody is respected while it may still be filled', (t) => {
  const file = lockFile(t);
  writeFileSync(file, '');
  assert.equal(tryStartLock(file), undefined);
  const aMinuteAgo = new Date(Date.now() - 60_000);
  utimesSync(file, aMinuteAgo, aMinuteAgo);
  assert.ok(tryStartLock(file));
});

test('a process is told apart from a later one with its pid, and is gone once it has ended', async () => {
  const child = spawn('sleep', ['600.5'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const startedAt = findStartTime(pid) ?? '';
  assert.notEqual(startedAt, '');
  assert.equal(isRunning({ pid, started_at: startedAt }), true);
  assert.equal(isRunning({ pid, started_at: `${startedAt}0` }), false);
  assert.equal(runsWithArgument(pid, '600.5'), true);
  assert.equal(runsWithArgument(pid, '/some/cluster'), false);
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill();
  await exited;
  assert.equal(findStartTime(pid), undefined);
  assert.equal(runsWithArgument(pid, '600.5'), false);
});
