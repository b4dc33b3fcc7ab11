import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, lchown, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import type { DataLayout } from './data-layout.ts';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts';
import type { ServerUser } from './server-user.ts';
import { startWatched } from './watched-process.ts';

export const databaseUser = 'chasqui';

/** For those who use data and make none. */
export function assertCluster(dataDir: string): void {
  const root = path.resolve(dataDir);
  if (isCluster(path.join(root, 'postgres'))) return;
  throw new EmbeddedPostgresError(
    `There is no database in ${root}: nothing was created. Start the service, or make an empty one with ` +
      '`chasqui migrate`; if the data is elsewhere, set CHASQUI_DATA_DIR or DATABASE_URL.',
  );
}

function isCluster(cluster: string): boolean {
  try {
    return statSync(path.join(cluster, 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (errorCode(error) !== 'EACCES') return false;
    throw new EmbeddedPostgresError(
      `This user (uid ${process.getuid?.()}) may not look into ${cluster}: run as the user of the service or as root.`,
      { cause: error },
    );
  }
}

/** Nothing upgrades a cluster in place: the packages bring no pg_upgrade. */
export function assertSameMajor(cluster: string, binaries: Binaries): void {
  const file = path.join(cluster, 'PG_VERSION');
  if (!existsSync(file)) return;
  const found = readFileSync(file, 'utf8').trim();
  if (found === binaries.major) return;
  throw new EmbeddedPostgresError(
    `The data in ${cluster} is of PostgreSQL ${found} and this release brings PostgreSQL ${binaries.major}; ` +
      `nothing was changed. Start the release that brings PostgreSQL ${found}, or use it to move the data to ` +
      'a server of your own and set DATABASE_URL.',
  );
}

export function assertOwnCluster(cluster: string): void {
  const me = process.getuid?.();
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || me === 0 || owner === me) return;
  throw new EmbeddedPostgresError(
    `The data in ${cluster} belongs to another user (uid ${owner}, this is uid ${me}): ` +
      'run as that user, choose another CHASQUI_DATA_DIR or set DATABASE_URL.',
  );
}

export interface ClusterRequest {
  layout: DataLayout;
  user: ServerUser;
  bin_dir: string;
  durable: boolean;
}

/** Creates the cluster if it does not exist, and gives its files to the server's user. */
export async function ensureCluster(request: ClusterRequest): Promise<void> {
  const { layout, user } = request;
  if (!existsSync(path.join(layout.cluster, 'PG_VERSION'))) await initialize(request);
  const { uid } = statSync(layout.cluster);
  if (uid !== user.uid) await chownTree(layout.cluster, user);
}

/** initdb works in a directory of its own, so that a start cut short never leaves half a cluster behind. */
async function initialize({ layout, user, bin_dir, durable }: ClusterRequest): Promise<void> {
  if (existsSync(layout.cluster) && readdirSync(layout.cluster).length > 0) {
    throw new EmbeddedPostgresError(
      `${layout.cluster} is neither empty nor the data of a PostgreSQL server: nothing was changed. ` +
        'Move it away or choose another CHASQUI_DATA_DIR.',
    );
  }
  await removeUnfinished(layout.root);
  const workshop = `${layout.cluster}.unfinished-${crypto.randomUUID()}`;
  const unfinished = path.join(workshop, 'postgres');
  const founder = user.founder ?? user;
  await mkdir(workshop, { mode: 0o700 });
  await mkdir(unfinished, { mode: 0o700 });
  if (founder.spawn.uid !== undefined) {
    // Only its group may enter: a founder shares its user with other programs.
    await chown(workshop, 0, founder.gid);
    await chmod(workshop, 0o710);
    await chown(unfinished, founder.uid, founder.gid);
  }
  await runInitdb(path.join(bin_dir, 'initdb'), [unfinished, ...(durable ? [] : ['--no-sync'])], founder);
  if (founder !== user) await chownTree(unfinished, user);
  await rename(unfinished, layout.cluster);
  await chmod(layout.cluster, 0o700);
  await rm(workshop, { recursive: true });
  if (durable) await syncDirectory(layout.root);
}

/** Never reused: an initdb that is being interrupted still empties the directory it was given. */
async function removeUnfinished(root: string): Promise<void> {
  const left = (await readdir(root)).filter((name) => name.startsWith('postgres.unfinished-'));
  const options = { recursive: true, force: true, maxRetries: 5 };
  await Promise.all(left.map(async (name) => await rm(path.join(root, name), options)));
}

async function runInitdb(initdb: string, args: readonly string[], user: ServerUser): Promise<void> {
  // Who may connect is written down before the first start: see server-access.ts.
  const fixed = ['--locale=C', '--encoding=UTF8', '--auth=reject', '--no-instructions'];
  const command = [initdb, `--username=${databaseUser}`, ...fixed, '-D', ...args];
  const run = startWatched({ command, user });
  const { succeeded, how } = await run.ended;
  if (!succeeded) throw new EmbeddedPostgresError(`initdb failed (${how}): ${run.log().trim()}`);
}

/** The top directory comes last: while it has the old owner, the work counts as not done. */
async function chownTree(dir: string, user: ServerUser): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) await chownTree(file, user);
    else await lchown(file, user.uid, user.gid);
  }
  await lchown(dir, user.uid, user.gid);
}

async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
