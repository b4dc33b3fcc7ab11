import { spawn } from 'node:child_process';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { retry } from '../../retry.ts';
import { writeFileAtomic } from '../../write-file-atomic.ts';
import { databaseUser, type ClusterRequest } from './cluster.ts';
import { socketPort } from './data-layout.ts';
import { EmbeddedPostgresError, retryWhileHeld } from './embedded-postgres-error.ts';
import { childEnv } from '../../processes/process-identity.ts';
import { startServer, stopServer } from './server-process.ts';
import { serverSettings, settingArguments } from './server-settings.ts';
import { readPostmasterFile } from './server-state.ts';
import { prepareSocketDir } from './socket-dir.ts';

/** Meanwhile the server lets in only users who may read its files. */
export async function setRolePassword(request: ClusterRequest, password: string): Promise<void> {
  const sql = `ALTER ROLE ${databaseUser} PASSWORD '${scramVerifier(password)}'\n`;
  await (request.user.founder ? runAmongOurselves(request, sql) : runAlone(request, sql));
}

/**
 * Single-user mode refuses a user without an entry in the passwd file. Nothing but this server runs as that user, so only
 * root can enter the folder of its socket.
 */
async function runAmongOurselves(
  { layout, user, bin_dir, durable }: ClusterRequest,
  sql: string,
): Promise<void> {
  const rules = path.join(layout.cluster, `pg_hba.conf.${crypto.randomUUID()}`);
  await writeFileAtomic(rules, 'local all all trust\n', user);
  prepareSocketDir(layout, user);
  const { socket_dir } = layout;
  const settings = serverSettings({ machine: smallestMachine, socket_dir, durable, overrides: {} });
  const args = settingArguments({ ...settings, hba_file: rules });
  const command = [path.join(bin_dir, 'postgres'), '-D', layout.cluster, ...args];
  try {
    const server = await startServer({ command, user }, layout.cluster);
    const client = new Client({
      host: socket_dir,
      port: socketPort,
      user: databaseUser,
      database: 'postgres',
      ssl: false,
    });
    client.on('error', () => {}); // the pending query rejects as well
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      await client.end();
      await stopServer(server);
    }
  } finally {
    await rm(rules, { force: true });
  }
}

const smallestMachine = { memory_bytes: 0, cpus: 1 };

/** In single-user mode, in which no other client can connect. */
async function runAlone(request: ClusterRequest, sql: string): Promise<void> {
  await retry(async () => {
    const { code, log } = await runSingleUser(request, sql);
    if (code !== 0 || /^(.*: )?(ERROR|FATAL|PANIC): /m.test(log)) throw failure(log);
  }, retryWhileHeld);
}

/** Its input ends with this process, however that ends, and it with its input. */
async function runSingleUser(
  { layout, user, bin_dir, durable }: ClusterRequest,
  sql: string,
): Promise<{ code: number | null; log: string }> {
  const stale = readPostmasterFile(layout.cluster);
  const flags = durable ? [] : ['-F'];
  const postgres = [path.join(bin_dir, 'postgres'), '--single', ...flags, '-D', layout.cluster, 'postgres'];
  const [command = '', ...args] = [...user.prefix, ...postgres];
  const child = spawn(command, args, {
    ...user.spawn,
    cwd: '/',
    // A recycled pid in postmaster.pid is not a server: see server-process.ts.
    env: { ...childEnv, ...(stale === undefined ? {} : { PG_GRANDPARENT_PID: String(stale.pid) }) },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  child.stdin.on('error', () => {}); // it ended early: its log says why
  child.stdin.end(sql);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, log };
}

function failure(log: string): EmbeddedPostgresError {
  // Without the lines that quote the statement.
  const lines = log.split('\n').filter((line) => /(ERROR|FATAL|PANIC|HINT|DETAIL): /.test(line));
  return new EmbeddedPostgresError(
    `The password of the embedded PostgreSQL could not be set: ${lines.slice(-5).join(' | ')}`,
  );
}

/** RFC 5802 §3 as PostgreSQL stores it: neither the statement nor the data folder has the password itself. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const iterations = 4096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
