import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { errorCode } from './embedded-postgres-error.ts';
import { isRunning, thisProcess } from '../../processes/process-identity.ts';
import type { ProcessIdentity } from '../../processes/process-identity.ts';
import { readIfPresent } from '../../read-if-present.ts';

/** A lock file without a name in it was left by a process that died between creating and filling it. */
const unsignedLockMs = 2000;

/**
 * Takes the lock, or returns undefined while a living process holds it. Node has no flock, so the lock is a
 * file that names its holder and counts as free once that process has gone.
 */
export function tryStartLock(file: string): (() => void) | undefined {
  const signature = JSON.stringify({ ...thisProcess(), nonce: crypto.randomUUID() });
  if (!createLock(file, signature)) {
    const held = readIfPresent(file);
    if (held === undefined || !isAbandoned(file, held)) return undefined;
    breakLock(file, held);
    if (!createLock(file, signature)) return undefined;
  }
  return () => {
    if (readIfPresent(file) === signature) rmSync(file, { force: true });
  };
}

function createLock(file: string, signature: string): boolean {
  try {
    writeFileSync(file, signature, { flag: 'wx', mode: 0o644 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(file: string, signature: string): boolean {
  try {
    return !isRunning(JSON.parse(signature) as ProcessIdentity);
  } catch {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat !== undefined && Date.now() - stat.mtimeMs > unsignedLockMs;
  }
}

/**
 * Two processes may find the same dead holder. Renaming lets only one of them remove that file; if what was
 * moved turns out to be a newer holder's lock it is put back. Should even that race be lost, PostgreSQL's own
 * postmaster.pid still refuses a second server.
 */
function breakLock(file: string, signature: string): void {
  const aside = `${file}.${crypto.randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readIfPresent(aside);
  if (moved !== undefined && moved !== signature) createLock(file, moved);
  rmSync(aside, { force: true });
}
