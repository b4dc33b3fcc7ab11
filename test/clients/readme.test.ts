import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { readVersion } from '../../src/main/version.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

const root = path.resolve(import.meta.dirname, '../..');
const client = path.join(root, 'clients/typescript');

let service: TestService;
let tenant: Tenant;
/** A project that has installed the package as it is published. */
let project: string;
before(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'chq-client-'));
  await writeFile(path.join(project, 'package.json'), '{}');
  await npm(client, ['pack', '--pack-destination', project]);
  const archive = (await readdir(project)).find((name) => name.endsWith('.tgz'));
  await npm(project, ['install', '--offline', `./${archive}`]);
  await symlink(path.join(root, 'node_modules/@types'), path.join(project, 'node_modules/@types'));
  const readme = await readFile(path.join(client, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, text = '']) => text);
  const isReceiver = (block: string): boolean => block.includes('verifyWebhook');
  await writeFile(path.join(project, 'guide.mts'), blocks.filter((each) => !isReceiver(each)).join('\n'));
  await writeFile(path.join(project, 'receiver.mts'), blocks.filter(isReceiver).join('\n'));
  // Those of the other guide are run by its own test, without types.
  const frameworks = await readFile(path.join(root, 'docs/frameworks.md'), 'utf8');
  for (const [at, [, text = '']] of [...frameworks.matchAll(/^```ts\n([^]*?)^```$/gm)].entries())
    await writeFile(path.join(project, `handler-${at}.mts`), text);
  await compile([
    '--strict',
    '--ignoreConfig',
    ...Object.entries(options).flat(),
    'guide.mts',
    'receiver.mts',
    'handler-0.mts',
    'handler-1.mts',
  ]);
  service = await startTestService({ env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' } });
  tenant = await service.tenant({ slug: 'demo' });
});
after(async () => {
  await service.stop();
  await rm(project, { recursive: true, force: true });
});

/** As a user of the package may have them. */
const options = {
  '--target': 'es2024',
  '--lib': 'es2024,dom,dom.iterable,dom.asynciterable',
  '--module': 'nodenext',
  '--types': 'node',
};

async function npm(cwd: string, words: string[]): Promise<void> {
  await promisify(execFile)('npm', [...words, '--no-audit', '--no-fund'], { cwd }).catch(
    (error: { stderr: string }) => {
      throw new Error(error.stderr, { cause: error });
    },
  );
}

async function compile(words: string[]): Promise<void> {
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, words, { cwd: project }).catch((error: { stdout: string }) => {
    throw new Error(error.stdout, { cause: error });
  });
}

const environment = () => ({
  PATH: process.env['PATH'],
  CHASQUI_URL: service.base_url,
  CHASQUI_API_KEY: tenant.api_key,
});

test('the package has a licence, the version of the service, and nothing but what runs', async () => {
  const installed = path.join(project, 'node_modules/chasqui-client');
  const files = (await readdir(installed, { recursive: true })).filter((name) => path.extname(name) !== '');
  assert.ok(
    files.every((name) => /^(?:dist\/[\w-]+\.(?:js|d\.ts)|package\.json|README\.md)$/.test(name)),
    files.join(),
  );
  assert.match(await readFile(path.join(installed, 'LICENSE'), 'utf8'), /^MIT License/);
  const { version } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  assert.equal(version, readVersion());
});

test('the package installs from its folder, as the guide says first', async (t) => {
  const other = await mkdtemp(path.join(tmpdir(), 'chq-client-'));
  t.after(async () => await rm(other, { recursive: true, force: true }));
  await writeFile(path.join(other, 'package.json'), '{}');
  await npm(other, ['install', '--offline', client]);
  const program = "import('chasqui-client').then((all) => console.log(Object.keys(all).join()))";
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: other });
  assert.match(stdout, /createClient/);
});

test('the blocks of the guide send, list, export and handle a refusal, as they stand', async () => {
  await writeFile(path.join(project, 'logo.png'), 'an image');
  await writeFile(path.join(project, 'invoice.pdf'), 'an invoice');
  const { stdout } = await promisify(execFile)(process.execPath, ['guide.mjs'], {
    cwd: project,
    env: environment(),
  });
  const [message_id = '', one = '', two = '', ...rest] = stdout.split('\n');
  const [listed = '', cancelled = '', headline = '', refused = '', isSame = ''] = rest;
  for (const each of [message_id, one, two]) assert.match(each, /^[\da-f-]{36}$/);
  assert.match(listed, /^[\da-f-]{36} delivered@sandbox\.test$/);
  assert.equal(cancelled, '1');
  assert.notEqual(headline, '');
  assert.match(refused, /^404 sender_not_found [\da-f]{32}$/);
  assert.equal(isSame, 'true');
  const repeated = await tenant.api.get('/v1/mails?subject=Your%20order%201002');
  assert.equal(repeated.json.data.length, 1);
  const sent = await tenant.api.get('/v1/mails?subject=Your%20invoice');
  assert.equal(sent.json.data.length, 1);
  const exported = await tenant.api.get('/v1/activities/sent/export?format=csv');
  const [, name = ''] = /filename="([^"]+)"/.exec(exported.headers.get('content-disposition') ?? '') ?? [];
  const file = await readFile(path.join(project, name), 'utf8');
  // Sent after the export.
  const rows = exported.text.split('\r\n').filter((row) => !row.includes('Your order 1002'));
  assert.equal(file, `\uFEFF${rows.join('\r\n').replace(/^\uFEFF/, '')}`);
});

test('the receiver of the guide takes what is signed with its secret and nothing else', async (t) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { json: webhook } = await tenant.api.post('/v1/webhooks', { name: 'guide', url });
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: project,
    env: { ...environment(), WEBHOOK_SECRET: webhook.secret, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.after(async () => {
    if (receiver.kill()) await once(receiver, 'exit');
  });
  const ask = async () => (await tenant.api.post(`/v1/webhooks/${webhook.id}/test`)).json.status_code;
  const first = await waitFor(async () => (await ask()) ?? false, {
    timeout_ms: 20_000,
    what: 'the receiver',
  });
  assert.equal(first, 204);
  await tenant.api.post(`/v1/webhooks/${webhook.id}/rotate-secret`);
  assert.equal(await ask(), 204, 'within the grace of a rotation');
  await tenant.api.post(`/v1/webhooks/${webhook.id}/rotate-secret`);
  assert.equal(await ask(), 400, 'after it');
});

for (const [program, file] of Object.entries({ python3: 'send.py', php: 'send.php' })) {
  test(`the example for ${program} sends, lists and is refused`, async (t) => {
    const run = promisify(execFile)(program, [path.join(root, 'clients/examples', file)], {
      env: environment(),
    });
    const { stdout } = await run.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      t.skip(`${program} is not installed`);
      return { stdout: undefined };
    });
    if (stdout === undefined) return;
    const [message_id = '', listed = '', refused = ''] = stdout.split('\n');
    assert.match(message_id, /^[\da-f-]{36}$/);
    assert.match(listed, /^[\da-f-]{36} delivered@sandbox\.test$/);
    assert.match(refused, /^validation_error \[.*\/to/);
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
