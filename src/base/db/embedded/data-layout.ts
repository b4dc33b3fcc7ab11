import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts';

export const socketPort = 5432;

/** sun_path holds 104 bytes on macOS and 108 on Linux, with the closing zero. */
const socketPathLimit = 103;

export interface DataLayout {
  root: string;
  cluster: string;
  socket_dir: string;
  owner_file: string;
  /** Readable only for the service's user. */
  password_file: string;
  lock_file: string;
}

/** Creates the data directory when it is missing and names everything inside it. */
export function openDataDir(dataDir: string): DataLayout {
  const root = makeDataDir(path.resolve(dataDir));
  return {
    root,
    cluster: path.join(root, 'postgres'),
    socket_dir: socketDirFor(root),
    owner_file: path.join(root, 'owner.json'),
    password_file: path.join(root, 'database-password'),
    lock_file: path.join(root, 'start.lock'),
  };
}

export function socketPath(socketDir: string, port: number): string {
  return path.join(socketDir, `.s.PGSQL.${port}`);
}

/** Derived only from the data directory, so that every start uses the same one. */
export function socketDirFor(root: string): string {
  const inside = path.join(root, 'run');
  if (Buffer.byteLength(socketPath(inside, socketPort)) < socketPathLimit) return inside;
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `chasqui-${digest}`);
}

function makeDataDir(dir: string): string {
  // Started by root, the server runs as another user who has to pass through, but not to list.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    if (mkdirSync(dir, { recursive: true, mode }) !== undefined) chmodSync(dir, mode);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dir);
  } catch (error) {
    const why = errorCode(error) ?? String(error);
    throw new EmbeddedPostgresError(
      `The data directory ${dir} cannot be used (${why}): choose another CHASQUI_DATA_DIR or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
