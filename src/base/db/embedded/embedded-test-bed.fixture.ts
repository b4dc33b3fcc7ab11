import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { copyCluster } from '../../../../test/support/test-database.ts';
import { openDataDir } from './data-layout.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
import { endOrphan } from './server-process.ts';
import { findRunningServer, isPostmaster } from './server-state.ts';

/** What another Node process got from openEmbeddedPostgres. */
export interface OtherProcess {
  child: ChildProcess;
  opened?: EmbeddedPostgres;
  error?: string;
  kill: () => Promise<void>;
}

/** How to start it: as another user, or through a command that takes rights away. */
export interface Disguise {
  uid?: number;
  gid?: number;
  prefix?: readonly string[];
}

export interface TestBed {
  dir: string;
  open: (options: Partial<EmbeddedPostgresOptions>) => Promise<EmbeddedPostgres>;
  openElsewhere: (options?: Partial<EmbeddedPostgresOptions>, as?: Disguise) => Promise<OtherProcess>;
  spawnElsewhere: (options?: Partial<EmbeddedPostgresOptions>, as?: Disguise) => ChildProcess;
}

const script = `
  const { openEmbeddedPostgres } = await import(process.argv[1]);
  const say = (result) => console.log(JSON.stringify(result));
  const server = await openEmbeddedPostgres(JSON.parse(process.argv[2])).catch((error) => {
    say({ error: error.message });
  });
  if (server !== undefined) say({ opened: server });
  process.stdin.resume().once('end', async () => await server?.stop());
`;

/** For the tests that are not about a first start. */
export async function makeTemplate(): Promise<string> {
  const dir = makeTempDir();
  const server = await openEmbeddedPostgres({ data_dir: dir, durable: false });
  await server.stop();
  return dir;
}

export function removeTemplate(template: string): void {
  rmSync(template, { recursive: true, force: true });
}

/** A temporary directory whose `data` the servers of one test share; nothing of it outlives the test. */
export function makeTestBed(t: TestContext, template?: string): TestBed {
  const dir = makeTempDir();
  const closers: (() => Promise<void>)[] = [];
  const dataDirs = new Set<string>();
  const complete = (options: Partial<EmbeddedPostgresOptions>): EmbeddedPostgresOptions => {
    const settings = { shared_buffers: '16MB' };
    const all = { data_dir: path.join(dir, 'data'), durable: false, settings, ...options };
    if (template !== undefined && !existsSync(all.data_dir)) {
      copyCluster(template, all.data_dir);
    }
    dataDirs.add(all.data_dir);
    return all;
  };
  const bed: TestBed = {
    dir,
    open: async (options) => {
      const server = await openEmbeddedPostgres(complete(options));
      closers.push(async () => await server.stop());
      return server;
    },
    spawnElsewhere: (options = {}, as = {}) => {
      const child = spawnOpener(complete(options), as);
      closers.push(async () => await killProcess(child));
      return child;
    },
    openElsewhere: async (options, as) => await answerOf(bed.spawnElsewhere(options, as)),
  };
  t.after(async () => {
    for (const close of closers.toReversed()) await close();
    for (const dataDir of dataDirs) await endServer(dataDir);
    rmSync(dir, { recursive: true, force: true });
  });
  return bed;
}

export async function query(server: EmbeddedPostgres | undefined, sql: string): Promise<unknown> {
  const client = new Client({ ...server?.connection, ssl: false });
  await client.connect();
  try {
    const { rows } = await client.query<{ value: unknown }>(sql);
    return rows[0]?.value;
  } finally {
    await client.end();
  }
}

export async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited 10 s in vain: ${what}`);
    await sleep(10);
  }
}

/** Pairs of pid and parent pid. */
export function listProcesses(): { pid: number; parent: number }[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table.split('\n').map((line) => {
    const [pid, parent] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent) };
  });
}

function makeTempDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'chasqui-pg-'));
  chmodSync(dir, 0o755);
  return dir;
}

async function endServer(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const layout = openDataDir(dataDir);
  const server = await findRunningServer(layout);
  if (server !== undefined) await endOrphan(server.pid, () => !isPostmaster(server.pid, layout));
  rmSync(layout.socket_dir, { recursive: true, force: true });
}

function spawnOpener(options: EmbeddedPostgresOptions, { prefix = [], ...user }: Disguise): ChildProcess {
  const module = new URL('embedded-postgres.ts', import.meta.url).href;
  const node = [process.execPath, '--input-type=module', '--eval', script, module, JSON.stringify(options)];
  const [command = '', ...args] = [...prefix, ...node];
  return spawn(command, args, { ...user, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
}

async function answerOf(child: ChildProcess): Promise<OtherProcess> {
  if (child.stdout === null) throw new Error('the child has no output to read');
  const lines = createInterface(child.stdout);
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve('{"error":"the process ended without an answer"}'));
  });
  const answer = JSON.parse(line) as { opened?: EmbeddedPostgres; error?: string };
  return { child, ...answer, kill: async () => await killProcess(child) };
}

async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill('SIGKILL');
  await exited;
}
