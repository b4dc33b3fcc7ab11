import { spawn } from 'node:child_process';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_USER, type ClusterRequest } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { CHILD_ENV } from '../../processes/process-identity.ts';
import { readPostmasterFile } from './server-state.ts';

/** Backends of a killed server see its end at their next wait for work or disk. */
const FREE_WITHIN_MS = 15_000;

/** In single-user mode, in which nobody else can connect: there is no moment at which the server trusts anyone. */
export async function setRolePassword(request: ClusterRequest, password: string): Promise<void> {
  const sql = `ALTER ROLE ${DATABASE_USER} PASSWORD '${scramVerifier(password)}'\n`;
  const deadline = Date.now() + FREE_WITHIN_MS;
  for (;;) {
    const { code, log } = await runSingleUser(request, sql);
    if (code === 0 && !/^(.*: )?(ERROR|FATAL|PANIC): /m.test(log)) return;
    const mustWait = /pre-existing shared memory block/.test(log);
    if (!mustWait || Date.now() > deadline) throw failure(log);
    await sleep(100);
  }
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
    // A recycled pid in postmaster.pid is no server: see server-process.ts.
    env: { ...CHILD_ENV, ...(stale === undefined ? {} : { PG_GRANDPARENT_PID: String(stale.pid) }) },
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
