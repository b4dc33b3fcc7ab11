import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { findServerUser } from './server-user.ts';

/**
 * Whether an embedded PostgreSQL could keep its data in `dir`, which need not exist yet. For root the question
 * is whether an unprivileged server could get there; for everybody else whether they may write.
 */
export function canServePostgresFrom(dir: string): boolean {
  const existing = nearestExisting(path.resolve(dir));
  if (process.getuid?.() !== 0) return isWritable(existing);
  return findServerUser(existing, path.join(path.resolve(dir), 'postgres')) !== undefined;
}

function nearestExisting(dir: string): string {
  const parent = path.dirname(dir);
  return parent === dir || isDirectory(dir) ? dir : nearestExisting(parent);
}

function isDirectory(dir: string): boolean {
  try {
    return statSync(dir).isDirectory();
  } catch {
    return false;
  }
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
