import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConnectionSettings } from '../../src/base/db/database.ts';
import { waitFor } from './wait-for.ts';

export interface InstalledPostgres {
  connection: ConnectionSettings;
  stop(): Promise<void>;
}

/** The folder with `initdb` and `postgres` of that major version as Debian and its derivatives install it. */
export function findInstalledPostgres(major: number): string | undefined {
  return globSync(`/usr/{lib/postgresql/${major},pgsql-${major}}/bin`).find((folder) =>
    existsSync(path.join(folder, 'initdb')),
  );
}

/** A throw-away server of an installed PostgreSQL, on a unix socket. */
export async function startInstalledPostgres(binaries: string): Promise<InstalledPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-installed-pg-'));
  const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? nobody() : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const cluster = path.join(folder, 'data');
  const options = { ...user, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } };
  execFileSync(
    path.join(binaries, 'initdb'),
    ['-D', cluster, '--username=chasqui', '--locale=C', '--encoding=UTF8', '--auth=trust', '--no-sync'],
    { ...options, stdio: 'ignore' },
  );
  const settings = [
    `unix_socket_directories=${folder}`,
    'listen_addresses=',
    'fsync=off',
    'shared_buffers=16MB',
  ];
  const server = spawn(
    path.join(binaries, 'postgres'),
    ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  );
  const ready = (): boolean =>
    existsSync(path.join(cluster, 'postmaster.pid')) &&
    /\nready/.test(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8'));
  await waitFor(ready, { timeout_ms: 30_000, what: 'the installed PostgreSQL' });
  return {
    connection: { host: folder, port: 5432, user: 'chasqui', database: 'postgres' },
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function nobody(): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
