import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** A call of a client: which of its methods, and what it is given. */
export interface Call {
  key: string;
  op: string;
  args: unknown[];
}

/** As the client tells it: the class of what it threw, and what it has of the answer. */
export interface ClientError {
  class: string;
  message: string;
  name?: string | null;
  status?: number | null;
  [more: string]: unknown;
}

export type Outcome = { ok: unknown; error?: undefined } | { ok?: undefined; error: ClientError };

/** A program in another language that makes calls with a client of another service. */
export interface ClientProgram {
  language: string;
  command: string;
  args: string[];
  env: Record<string, string>;
}

export type Found = { program: ClientProgram } | { missing: string };

const drivers = path.join(import.meta.dirname, 'drivers');
/** Where `scripts/switching-clients` has put the sources of the official clients. */
const clients = process.env['CHASQUI_CLIENTS'] ?? '';

function sourcesOf(repositories: string[]): { missing: string } | undefined {
  if (clients === '') {
    return { missing: 'CHASQUI_CLIENTS names no directory: scripts/switching-clients fills one' };
  }
  const absent = repositories.find((each) => !existsSync(path.join(clients, each)));
  return absent === undefined ? undefined : { missing: `${clients} does not have ${absent}` };
}

function runs(command: string, args: string[], env: Record<string, string> = {}): boolean {
  return spawnSync(command, args, { env: { ...process.env, ...env }, stdio: 'ignore' }).status === 0;
}

export function findPython(
  driver: string,
  { repositories = [], modules }: { repositories?: string[]; modules: string[] },
): Found {
  const absent = repositories.length === 0 ? undefined : sourcesOf(repositories);
  if (absent) return absent;
  const env = { PYTHONPATH: repositories.map((each) => path.join(clients, each)).join(':') };
  const probe = `import sys, ${modules.join(', ')}; print(sys.executable)`;
  // Debian's has Debian's modules, where another is the first on the PATH.
  const command = ['python3', '/usr/bin/python3']
    .map((each) => spawnSync(each, ['-c', probe], { env: { ...process.env, ...env }, encoding: 'utf8' }))
    .find(({ status }) => status === 0)
    ?.stdout.trim();
  if (command === undefined) return { missing: `python3 with ${modules.join(', ')} is not installed` };
  return { program: { language: 'Python', command, args: [path.join(drivers, driver)], env } };
}

export function findPhp(
  driver: string,
  { repositories = [], files }: { repositories?: string[]; files: string[] },
): Found {
  const absent = repositories.length === 0 ? undefined : sourcesOf(repositories);
  if (absent) return absent;
  const file = files.find((each) => !existsSync(each));
  if (!runs('php', ['--version'])) return { missing: 'php is not installed' };
  if (file !== undefined) return { missing: `${file} is not installed` };
  const env = { CHASQUI_CLIENTS: clients };
  return { program: { language: 'PHP', command: 'php', args: [path.join(drivers, driver)], env } };
}

export function findRuby(
  driver: string,
  { repositories = [], gems }: { repositories?: string[]; gems: string[] },
): Found {
  const absent = repositories.length === 0 ? undefined : sourcesOf(repositories);
  if (absent) return absent;
  const env = { RUBYLIB: repositories.map((each) => path.join(clients, each, 'lib')).join(':') };
  if (!runs('ruby', gems.map((gem) => `-r${gem}`).concat('-e', '0'), env)) {
    return { missing: `ruby with ${gems.join(', ')} is not installed` };
  }
  return { program: { language: 'Ruby', command: 'ruby', args: [path.join(drivers, driver)], env } };
}

const built: string[] = [];
process.once('exit', () => built.forEach((each) => rmSync(each, { recursive: true, force: true })));

/** `packages`: the import paths, and the repositories that have them. */
export function findGo(driver: string, packages: Record<string, string>): Found {
  const absent = sourcesOf(Object.values(packages));
  if (absent) return absent;
  if (!runs('go', ['version'])) return { missing: 'go is not installed' };
  const directory = mkdtempSync(path.join(tmpdir(), 'chq-go-'));
  built.push(directory);
  for (const [name, repository] of Object.entries(packages)) {
    const place = path.join(directory, 'src', name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.join(clients, repository), place);
  }
  const command = path.join(directory, 'calls');
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: directory, GOFLAGS: '' };
  const build = spawnSync('go', ['build', '-o', command, path.join(drivers, driver)], { env });
  assert.equal(build.status, 0, String(build.stderr));
  return { program: { language: 'Go', command, args: [], env: {} } };
}

/** What became of each call, in their order. */
export async function runCalls(
  { command, args, env }: ClientProgram,
  { calls, settings }: { calls: Call[]; settings: Record<string, string> },
): Promise<Outcome[]> {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(calls));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  assert.equal(child.exitCode, 0, `${err}\n${out}`);
  return JSON.parse(out) as Outcome[];
}
