import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { socketPort, socketPath } from './data-layout.ts';
import type { DataLayout } from './data-layout.ts';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts';
import type { ServerUser } from './server-user.ts';

/**
 * Makes the directory of the socket for this user only; other users who enter it still need the password. In the shared
 * temporary directory another user may have created it first.
 */
export function prepareSocketDir(layout: DataLayout, user: ServerUser): void {
  const dir = layout.socket_dir;
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const stat = lstatSync(dir);
  const isInside = path.dirname(dir) === layout.root;
  const isOurs = isInside || stat.uid === user.uid || stat.uid === process.getuid?.();
  if (!stat.isDirectory() || !isOurs) {
    throw new EmbeddedPostgresError(
      `${dir} belongs to another user, and the socket of the database is to be made there: ` +
        'remove it or choose a shorter CHASQUI_DATA_DIR.',
    );
  }
  if (stat.uid !== user.uid) chownSync(dir, user.uid, user.gid);
  chmodSync(dir, 0o700);
  // No server runs, so this guards nothing: unlike postmaster.pid it only names a process, perhaps a recycled one.
  rmSync(`${socketPath(dir, socketPort)}.lock`, { force: true });
}
