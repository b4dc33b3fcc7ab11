import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { finish, makeBed, type Finished, type ServiceProcess } from '../support/service-process.ts';
import { waitFor } from '../support/wait-for.ts';

const bed = makeBed({ after }, { CHASQUI_DEMO: 'false' });
const bin = path.resolve(import.meta.dirname, '../../bin/chasqui');
let service: ServiceProcess;

async function stop(): Promise<void> {
  service.child.kill('SIGTERM');
  assert.equal((await service.exited).code, 0);
}

async function statusOf(api_key: string, slug: string): Promise<number> {
  const headers = { authorization: `Bearer ${api_key}`, 'x-instance-slug': slug };
  const { ready, child, stderr } = service;
  const response = await fetch(`${ready.base_url}/v1/fields`, { headers }).catch((error: unknown) => {
    const state = `exit code ${child.exitCode}, signal ${child.signalCode}`;
    throw new Error(`the service does not answer (${state}): ${stderr()}`, { cause: error });
  });
  return response.status;
}

/** Sooner than a cache would notice by itself, which takes up to 5 s: the notification of a commit comes after the command has ended. */
async function becomes(status: number, api_key = ''): Promise<void> {
  await waitFor(async () => (await statusOf(api_key, 'acme')) === status, {
    timeout_ms: 3_000,
    what: `status ${status}`,
  });
}

const refusedWith = ({ code, stdout, stderr }: Finished, message: RegExp): void => {
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.match(stderr, message);
  assert.match(stderr, /^chasqui: [^\n]+\n$/, 'one line that says who speaks');
};

const create = [
  'instance',
  'create',
  '--slug',
  'acme',
  '--name',
  'Acme Ltd',
  '--timezone',
  'America/Santiago',
];
const newKey = ['api-key', 'create', '--instance', 'acme', '--name', 'website'];

before(async () => {
  // Before the service has ever run: the commands start the database, use it and stop it.
  assert.equal((await bed.run(['migrate'])).code, 0);
  const made = await bed.json(create);
  assert.equal(made['slug'], 'acme');
  assert.equal(bed.postgresPid(), undefined);
  service = await bed.serve();
});

test('the service sees what a command made while it was stopped, and the other way round', async () => {
  const { api_key } = await bed.json([...newKey, '--scopes', 'field:read']);
  assert.equal(await statusOf(api_key ?? '', 'acme'), 200);
  await stop();
  const listed = await bed.json(['api-key', 'list', '--instance', 'acme']);
  assert.equal((listed['data'] as unknown as unknown[]).length, 1);
  const { api_key: offline } = await bed.json([...newKey, '--scopes', 'all']);
  assert.equal(bed.postgresPid(), undefined, 'the command stopped the database that it started');
  service = await bed.serve();
  assert.equal(await statusOf(offline ?? '', 'acme'), 200);
});

test('a revoked key is refused by the running service at once', async () => {
  const { id, api_key } = await bed.json([...newKey, '--scopes', 'field:read']);
  assert.equal(await statusOf(api_key ?? '', 'acme'), 200);
  const revoked = await bed.json(['api-key', 'revoke', '--instance', 'acme', id ?? '']);
  assert.ok(revoked['revoked_at']);
  await becomes(401, api_key);
});

test('a changed setting counts at once', async () => {
  const { api_key } = await bed.json([...newKey, '--scopes', 'field:read']);
  assert.equal(await statusOf(api_key ?? '', 'acme'), 200);
  await bed.json(['instance', 'set', 'acme', 'is_enabled=false']);
  await becomes(403, api_key);
  const set = await bed.json(['instance', 'set', 'acme', 'is_enabled=true', 'ip_allowlist=203.0.113.9/24']);
  assert.deepEqual(set['ip_allowlist'], ['203.0.113.0/24']);
  await becomes(403, api_key);
  await bed.json(['instance', 'set', 'acme', 'ip_allowlist=', 'name=A=B']);
  await becomes(200, api_key);
  const { data } = await bed.json(['instance', 'list']);
  assert.equal((data as unknown as { name: string }[])[0]?.name, 'A=B');
});

test('every command that only looks answers one JSON object, and text without it', async () => {
  const user = ['user', 'create', '--email', 'Ana@Acme.cl', '--password', 'a long password'];
  const made = await bed.json([...user, '--instance', 'acme', '--role', 'admin']);
  assert.deepEqual([made['email'], made['role']], ['ana@acme.cl', 'admin']);
  assert.equal((await bed.json(['doctor']))['ok'], true);
  assert.ok((await bed.json(['migrate']))['migrations']);
  assert.equal((await bed.json(['instance', 'list', 'acme']))['slug'], 'acme');
  for (const words of [
    ['doctor'],
    ['migrate'],
    ['instance', 'list'],
    ['api-key', 'list', '--instance', 'acme'],
  ]) {
    const { code, stdout, stderr } = await bed.run(words);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /^[^{].*\n$/s);
  }
});

test('a mistake is told in one line on standard error, with exit code 1 and nothing on standard output', async () => {
  refusedWith(await bed.run(['api-key', 'list', '--instance', 'nobody', '--json']), /There is no instance/);
  refusedWith(await bed.run(['serve', '--fast']), /Unknown option '--fast'/);
});

test('settings that cannot be read are told in one line', async (t) => {
  const file = path.join(bed.dir, '.env');
  mkdirSync(file);
  t.after(() => rmdirSync(file));
  refusedWith(await bed.run(['instance', 'list']), /The settings in \.env cannot be read: /);
});

test('a reader that leaves early gets no stack, and a full disk is told in one line', async () => {
  const through = (shell: string): string[] => ['sh', '-c', shell, 'sh', process.execPath, bin];
  const left = await bed.run(['--help'], {}, through('{ "$@"; echo "exit $?" >&2; } | true'));
  assert.equal(left.stderr, 'exit 1\n');
  const full = through('exec "$@" >/dev/full');
  refusedWith(await bed.run(['instance', 'list'], {}, full), /ENOSPC: no space left/);
  refusedWith(await bed.run(['backup', '-'], {}, full), /ENOSPC: no space left/);
});

test('bin/chasqui runs commands and the service on the Node of this install', async () => {
  const { code, stdout } = await finish(
    bed.start(['instance', 'list', '--json'], {}, [process.execPath, bin]),
  );
  assert.equal(code, 0);
  assert.equal((JSON.parse(stdout) as { data: unknown[] }).data.length, 1);
});

const old = findOldNode();
const skip = old === undefined && 'this machine has no Node older than 24';
test('bin/chasqui works when the machine’s own Node is too old for the code', { skip }, async () => {
  const program = [old ?? '', bin];
  const listed = await finish(bed.start(['instance', 'list', '--json'], {}, program));
  assert.equal(listed.code, 0);
  refusedWith(
    await finish(bed.start(['instance', 'list', 'nobody'], {}, program)),
    /There is no instance 'nobody'/,
  );
  await stop();
  const child = bed.start(['serve', '--json'], {}, program);
  const finished = finish(child);
  child.stdout?.once('data', () => void child.kill('SIGTERM'));
  const { code, stdout } = await finished;
  assert.equal(code, 0);
  assert.ok(JSON.parse(stdout));
  assert.equal(bed.postgresPid(), undefined);
  service = await bed.serve();
});

function findOldNode(): string | undefined {
  const places = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
  const others = places.filter(
    (file) => existsSync(file) && realpathSync(file) !== realpathSync(process.execPath),
  );
  return others.find((file) => {
    const version = execFileSync(file, ['--version'], { encoding: 'utf8' });
    return Number(/^v(\d+)/.exec(version)?.[1]) < 24;
  });
}
