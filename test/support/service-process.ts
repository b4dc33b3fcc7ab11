import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Environment } from '../../src/base/config.ts';
import { copyCluster } from './test-database.ts';
import { waitFor } from './wait-for.ts';

const root = path.resolve(import.meta.dirname, '../..');
const cli = path.join(root, 'bin/chasqui');

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The object that `serve --json` prints. */
export interface Ready {
  pid: number;
  base_url: string;
  metrics_url: string;
  database: string;
  demo?: { slug: string; api_key: string; email: string; password: string };
}

export interface ServiceProcess {
  child: ChildProcess;
  ready: Ready;
  /** From the start of the process until it said that it is ready. */
  ready_ms: number;
  stdout: () => string;
  stderr: () => string;
  exited: Promise<Finished>;
}

export interface Bed {
  dir: string;
  data_dir: string;
  /** Starts the service as its own process and waits until it is ready. */
  serve(args?: string[], env?: Environment, program?: string[]): Promise<ServiceProcess>;
  /** Runs a command to its end. */
  run(args: string[], env?: Environment, program?: string[]): Promise<Finished>;
  /** Runs a command that succeeds, with --json, and gives its object. */
  json(args: string[], env?: Environment, program?: string[]): Promise<Record<string, never>>;
  /** Starts the command line, on the Node of this test or as another program would. */
  start(args: string[], env?: Environment, program?: string[]): ChildProcess;
  /** Pid of the embedded database's server, undefined when none runs. */
  postgresPid(): number | undefined;
}

/** No load balancer stands before a test. */
const prompt = { CHASQUI_SHUTDOWN_DELAY_SECONDS: '0' };

export interface BedOptions {
  /** Leaves it to the first start to make the cluster and its schema, which takes three seconds of a processor. */
  without_cluster?: boolean;
}

/** A folder of its own in which services and commands run as real processes; nothing of it outlives the test. */
export function makeBed(
  t: { after(cleanup: () => Promise<void>): void },
  env: Environment = {},
  { without_cluster = 'DATABASE_URL' in env }: BedOptions = {},
): Bed {
  const dir = mkdtempSync(path.join(tmpdir(), 'chq-process-'));
  chmodSync(dir, 0o755);
  const data_dir = path.join(dir, 'data');
  const cluster = process.env['CHASQUI_TEST_CLUSTER'];
  if (cluster && !without_cluster) copyCluster(cluster, data_dir);
  const children: ChildProcess[] = [];
  const start: Bed['start'] = (args, more = {}, program = [process.execPath, cli]) => {
    const [command = '', ...first] = program;
    const child = spawn(command, [...first, ...args], {
      cwd: dir,
      env: {
        PATH: process.env['PATH'],
        // As bin/chasqui does: compiling the code is half of what a command takes.
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...anyPort(),
        ...prompt,
        ...printed,
        CHASQUI_DATA_DIR: data_dir,
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  };
  const bed: Bed = {
    dir,
    data_dir,
    start,
    serve: async (args = [], more = {}, program) =>
      await becomeReady(start(['serve', '--json', ...args], more, program)),
    run: async (args, more = {}, program) => await finish(start(args, more, program)),
    async json(args, more = {}, program) {
      const { code, stdout, stderr } = await bed.run([...args, '--json'], more, program);
      if (code !== 0 || stderr !== '') throw new Error(`${args.join(' ')}: exit ${code}: ${stderr}`);
      return JSON.parse(stdout) as Record<string, never>;
    },
    postgresPid: () => findPostgres(data_dir),
  };
  t.after(async () => {
    for (const child of children.toReversed()) await kill(child);
    await waitFor(() => bed.postgresPid() === undefined, {
      timeout_ms: 20_000,
      what: 'the end of the embedded database',
    });
    rmSync(dir, { recursive: true, force: true });
  });
  return bed;
}

/** Tests use the first start's key, though no terminal is there to see it. */
const printed: Environment = { CHASQUI_PRINT_CREDENTIALS: 'true' };

/** Every listener on a free port, also those of roles that this test knows nothing of. */
function anyPort(): Environment {
  const settings = readFileSync(path.join(root, '.env.example'), 'utf8').matchAll(/^#(CHASQUI_\w+_PORT)=/gm);
  const listeners = [...settings].map(([, key = '']) => key).filter((key) => !/_(MX|HTTPS)_PORT$/.test(key));
  return Object.fromEntries(listeners.map((key) => [key, '0']));
}

export async function finish(child: ChildProcess): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** What a service without a terminal says at its end: every line is one JSON object, one of them fatal. */
export function fatalLine(stderr: string): string {
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; msg: string });
  const fatal = lines.filter(({ level }) => level === 'fatal');
  if (fatal.length !== 1) throw new Error(`${fatal.length} fatal lines: ${stderr}`);
  return fatal[0]?.msg ?? '';
}

/** Waits until a service that was started with --json says so. */
export async function becomeReady(child: ChildProcess): Promise<ServiceProcess> {
  const began = performance.now();
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (output.stderr += text.toString()));
  const exited = finish(child);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const spoke = waitFor(() => output.stdout.includes('\n') || hasEnded(), {
    timeout_ms: 60_000,
    what: 'the service',
  });
  await Promise.race([exited, spoke]);
  const code = output.stdout.includes('\n') ? undefined : (await exited).code;
  if (code !== undefined) throw new Error(`the service ended with ${code}: ${output.stderr}`);
  return {
    child,
    ready: JSON.parse(output.stdout) as Ready,
    ready_ms: Math.round(performance.now() - began),
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function findPostgres(data_dir: string): number | undefined {
  const file = path.join(data_dir, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return commandLine(pid).includes(data_dir) ? pid : undefined;
}

/** Empty when there is no such process. */
function commandLine(pid: number): string {
  try {
    const args = ['-ww', '-p', String(pid), '-o', 'args='];
    return execFileSync('ps', args, { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}
