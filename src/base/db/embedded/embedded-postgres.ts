import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries, thisTarget } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { assertCluster, assertOwnCluster, assertSameMajor, databaseUser, ensureCluster } from './cluster.ts';
import { databaseName, ensureDatabase } from './create-database.ts';
import { openDataDir, socketPort } from './data-layout.ts';
import type { DataLayout } from './data-layout.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { ownServer } from './owned-server.ts';
import { ensureAccess, readPassword } from './server-access.ts';
import { endOrphan, startServer, stopServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { serverSettings, settingArguments } from './server-settings.ts';
import { findAttachableServer, findRunningServer, isPostmaster } from './server-state.ts';
import { findServerUser } from './server-user.ts';
import { prepareSocketDir } from './socket-dir.ts';
import { prepareBinaries } from './stage-binaries.ts';
import { tryStartLock } from './start-lock.ts';

export interface EmbeddedPostgres {
  /** `host` is the directory of the unix socket. */
  connection: { host: string; port: number; user: string; database: string; password?: string };
  /** True when another process owns the server; then stop() does not stop it. */
  attached: boolean;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  data_dir: string;
  /** False refuses a folder without a cluster and makes nothing in it. */
  create?: boolean;
  settings?: Record<string, string>;
  /** Called when the server this process owns ends without stop(). */
  on_exit?: (reason: string) => void;
  /** False gives up safety against a crash of the machine for speed; for tests. */
  durable?: boolean;
  /** The unpacked package with the binaries, when it is not where npm installs it. */
  package_dir?: string;
}

/** As long as a starting server may take to recover. */
const lockWithinMs = 600_000;

/** Attaches to the server that uses this data directory, or starts one and owns it. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = findBinaries(thisTarget(), options.package_dir);
  if (options.create === false) assertCluster(options.data_dir);
  const layout = openDataDir(options.data_dir);
  assertOwnCluster(layout.cluster);
  assertSameMajor(layout.cluster, binaries);
  const deadline = Date.now() + lockWithinMs;
  while (Date.now() < deadline) {
    const attached = await attach(layout);
    if (attached !== undefined) return attached;
    const unlock = tryStartLock(layout.lock_file);
    if (unlock === undefined) {
      await sleep(20);
      continue;
    }
    try {
      // The previous holder of the lock may have started the server meanwhile.
      return (await attach(layout)) ?? (await start(options, layout, binaries));
    } finally {
      unlock();
    }
  }
  throw new EmbeddedPostgresError(
    `Another process has been starting the server in ${layout.root} for too long.`,
  );
}

async function attach(layout: DataLayout): Promise<EmbeddedPostgres | undefined> {
  const server = await findAttachableServer(layout);
  if (server === undefined) return undefined;
  const { socket_dir, port } = server;
  return { connection: connectionTo(layout, socket_dir, port), attached: true, stop: async () => {} };
}

async function start(
  options: EmbeddedPostgresOptions,
  layout: DataLayout,
  binaries: Binaries,
): Promise<EmbeddedPostgres> {
  const orphan = await findRunningServer(layout);
  if (orphan !== undefined) await endOrphan(orphan.pid, () => !isPostmaster(orphan.pid, layout));
  const server = await launch(options, layout, binaries);
  const connection = connectionTo(layout, layout.socket_dir, socketPort);
  try {
    if (options.create !== false) await ensureDatabase(connection);
    return { connection, attached: false, stop: ownServer(server, layout, options.on_exit) };
  } catch (error) {
    await stopServer(server);
    throw error;
  }
}

async function launch(
  { settings = {}, durable = true }: EmbeddedPostgresOptions,
  layout: DataLayout,
  binaries: Binaries,
): Promise<ServerProcess> {
  const user = findServerUser(layout.root, layout.cluster);
  if (user === undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and no other user can be used for ${layout.root} here: run as a normal ` +
        'user, choose a CHASQUI_DATA_DIR below folders that everybody can enter, or set DATABASE_URL.',
    );
  }
  const binDir = path.join(await prepareBinaries(binaries, user, layout.root), 'bin');
  await ensureCluster({ layout, user, bin_dir: binDir, durable });
  await ensureAccess({ layout, user, bin_dir: binDir, durable });
  prepareSocketDir(layout, user);
  const request = { machine: thisMachine(), socket_dir: layout.socket_dir, durable, overrides: settings };
  const args = ['-D', layout.cluster, ...settingArguments(serverSettings(request))];
  return await startServer({ command: [path.join(binDir, 'postgres'), ...args], user }, layout.cluster);
}

function connectionTo(layout: DataLayout, host: string, port: number): EmbeddedPostgres['connection'] {
  const password = readPassword(layout);
  return {
    host,
    port,
    user: databaseUser,
    database: databaseName,
    ...(password === undefined ? {} : { password }),
  };
}

/** In a container the limit of its control group counts; without one Node gives 0 or a huge figure. */
function thisMachine(): { memory_bytes: number; cpus: number } {
  const limit = process.constrainedMemory();
  return { memory_bytes: Math.min(totalmem(), limit > 0 ? limit : Infinity), cpus: cpus().length };
}
