import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { fatalLine, makeBed, type Ready } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const quiet = { CHASQUI_PRINT_CREDENTIALS: 'false' };
const secret = 'a root secret for tests, and for tests alone';
/** The one of util-linux runs a command on a terminal of its own. */
const noTerminal =
  spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0
    ? false
    : 'needs script of util-linux';

async function status({ base_url }: Ready, { slug, api_key }: NonNullable<Ready['demo']>): Promise<number> {
  const headers = { authorization: `Bearer ${api_key}`, 'x-instance-slug': slug };
  return (await fetch(`${base_url}/v1/fields`, { headers })).status;
}

test('a first start with --json names the file that has the key, and prints neither it nor the password', async (t) => {
  const bed = makeBed(t, quiet, { without_cluster: true });
  const { child, ready, stdout, exited } = await bed.serve(['--roles', 'api']);
  const { credentials_file, ...rest } = ready.demo as { credentials_file?: string };
  assert.deepEqual(rest, { slug: 'demo' });
  assert.equal(credentials_file, path.join(bed.data_dir, 'first-credentials.json'));
  const demo = JSON.parse(readFileSync(credentials_file ?? '', 'utf8')) as NonNullable<Ready['demo']>;
  assert.equal(await status(ready, demo), 200);
  assert.doesNotMatch(stdout(), /chq\./);
  child.kill('SIGTERM');
  assert.equal((await exited).code, 0);
});

test('a first start whose port is taken makes no credentials: the next one tells them', async (t) => {
  const bed = makeBed(t, quiet, { without_cluster: true });
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const refused = await bed.run(['serve'], { CHASQUI_METRICS_PORT: String(port), CHASQUI_LOG_LEVEL: 'warn' });
  assert.equal(refused.code, 1);
  assert.match(fatalLine(refused.stderr), /^127\.0\.0\.1:\d+ is in use by another process: /);
  const { child, ready, exited } = await bed.serve(['--roles', 'api'], { CHASQUI_PRINT_CREDENTIALS: 'true' });
  assert.ok(ready.demo?.api_key);
  assert.equal(await status(ready, ready.demo), 200);
  child.kill('SIGTERM');
  assert.equal((await exited).code, 0);
});

test('a first start that cannot write the file says how to make a key, and goes on', async (t) => {
  const bed = makeBed(t, quiet, { without_cluster: true });
  mkdirSync(path.join(bed.data_dir, 'first-credentials.json'), { recursive: true });
  const { child, ready, stderr, exited } = await bed.serve(['--roles', 'api']);
  assert.deepEqual(ready.demo, { slug: 'demo' });
  await waitFor(() => stderr().includes('could not be written'), { what: () => stderr() });
  child.kill('SIGTERM');
  assert.equal((await exited).code, 0);
});

test(
  'the first start shows the key as the last thing on a terminal, and writes no file',
  { skip: noTerminal },
  async (t) => {
    const bed = makeBed(t, quiet, { without_cluster: true });
    const cli = path.resolve(import.meta.dirname, '../../bin/chasqui');
    const command = `exec '${process.execPath}' '${cli}' serve --roles api`;
    const child = bed.start(['-qec', command, '/dev/null'], {}, ['script']);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await waitFor(() => text.includes('curl '), { timeout_ms: 60_000, what: () => `the banner: ${text}` });
    assert.match(text, /API key +chq\.[a-z0-9]{16}\./);
    assert.match(text, /password +\S{10}/);
    assert.equal(existsSync(path.join(bed.data_dir, 'first-credentials.json')), false);
    await waitFor(() => text.includes('"html"'), { what: () => `the end of the banner: ${text}` });
    const [beforeBanner = '', afterBanner = ''] = text.split('Chasqui is running');
    assert.match(beforeBanner, /^\S*\d\d:\d\d:\d\d\.\d{3}\S* \S*INFO *\S* running /m);
    const migrated = beforeBanner.split('\n').filter((line) => line.includes('migrat'));
    assert.equal(migrated.length, 1, `all migrations in one line: ${beforeBanner}`);
    assert.doesNotMatch(afterBanner, /INFO/);
    assert.doesNotMatch(text, /^\{"/m);
    child.kill('SIGTERM');
    await once(child, 'exit');
  },
);

test('the first start with an external database makes no key, unless it is asked for', async (t) => {
  const database = await createTestDatabase();
  t.after(async () => await database.drop());
  const bed = makeBed(t, { ...quiet, DATABASE_URL: database.url, CHASQUI_SECRET: secret });
  const { child, ready, exited } = await bed.serve(['--roles', 'api']);
  assert.deepEqual(ready.demo, { slug: 'demo' });
  assert.equal(existsSync(path.join(bed.data_dir, 'first-credentials.json')), false);
  // As the banner of such a start advises.
  const words = ['api-key', 'create', '--instance', 'demo', '--name', 'first', '--scopes', 'all'];
  const { api_key = '' } = (await bed.json(words)) as { api_key?: string };
  assert.equal(await status(ready, { slug: 'demo', api_key, email: '', password: '' }), 200);
  child.kill('SIGTERM');
  await exited;
  const asked = await createTestDatabase();
  t.after(async () => await asked.drop());
  const started = await bed.serve(['--roles', 'api'], {
    DATABASE_URL: asked.url,
    CHASQUI_PRINT_CREDENTIALS: 'true',
  });
  assert.ok(started.ready.demo?.api_key);
  assert.equal(await status(started.ready, started.ready.demo), 200);
  started.child.kill('SIGTERM');
  await started.exited;
});
