import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { after, test } from 'node:test';
import { Client } from 'pg';
import type { Environment } from '../../src/base/config.ts';
import { RootSecret } from '../../src/base/secrets.ts';
import { runCommandLine } from '../../src/main/command-line.ts';
import { makeBed, type Ready } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

type Demo = NonNullable<Ready['demo']>;

const origin = makeBed({ after });
const elsewhere = makeBed({ after }, {}, { without_cluster: true });
const here = { CHASQUI_DATA_DIR: origin.data_dir };
const there = { CHASQUI_DATA_DIR: elsewhere.data_dir };
const file = path.join(origin.dir, 'backup.tar');
const again = path.join(elsewhere.dir, 'again.tar');
let demo: Demo;

interface Answer {
  code: 0 | 1;
  stdout: string;
  stderr: string;
}

/** A command in this process, which saves the start of one. */
async function run(words: string[], env: Environment): Promise<Answer> {
  const output = { stdout: '', stderr: '' };
  const code = await runCommandLine(words, {
    env,
    out: (text) => (output.stdout += text),
    err: (text) => (output.stderr += text),
  });
  return { code, ...output };
}

async function json(words: string[], env: Environment): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...words, '--json'], env);
  assert.deepEqual([code, stderr], [0, ''], words.join(' '));
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function post(base_url: string, route: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${base_url}${route}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.api_key}`,
      'x-instance-slug': demo.slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

async function send(base_url: string): Promise<string> {
  const mail = {
    sender_email: `test@${demo.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }, { email: 'defer@sandbox.test' }],
    subject: 'Kept',
    html: '<p>It is still there.</p>',
  };
  return (await post(base_url, '/v1/mails/send', mail))['message_id'] as string;
}

/** Sends from several clients; gives what was acknowledged so far, and the way to stop. */
function sendUntilStopped(base_url: string): { acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = [];
  let going = true;
  const clients = Array.from({ length: 3 }, async () => {
    while (going) acknowledged.push(await send(base_url));
  });
  return {
    acknowledged,
    async stop() {
      going = false;
      await Promise.all(clients);
    },
  };
}

async function recordConsent(base_url: string): Promise<void> {
  const instance = ['--instance', demo.slug];
  const body = path.join(origin.dir, 'term.md');
  writeFileSync(body, 'We write to you once a month.');
  const options = ['--name', 'News', '--type', 'marketing', '--purposes', 'marketing', '--channels', 'mail'];
  const version = ['--body', `@${body}`, '--version', '1', '--current'];
  const term = await json(['term', 'create', ...instance, ...options, ...version], here);
  const [purpose_id] = term['purpose_ids'] as number[];
  const contact = { contact_type: 'email_address', contact: 'ana@example.com' };
  await post(base_url, '/v1/consent-events', {
    term_id: term['id'],
    method: 'single_opt_in',
    rules: [{ ...contact, purpose_id, action: 'allow' }],
  });
}

test('a backup under load has every mail acknowledged before it, in an external and in an embedded database', async (t) => {
  const service = await origin.serve();
  demo = service.ready.demo ?? assert.fail('no demo');
  const { base_url } = service.ready;
  await json(['domain', 'create', '--instance', demo.slug, 'acme.example'], here);
  await recordConsent(base_url);
  const load = sendUntilStopped(base_url);
  await waitFor(() => load.acknowledged.length > 50, { timeout_ms: 20_000, what: 'some mail' });
  const before = [...load.acknowledged];
  const made = await json(['backup', file], here);
  const meanwhile = load.acknowledged.length - before.length;
  await load.stop();
  t.diagnostic(`${before.length} sends before the backup, ${meanwhile} during it; ${JSON.stringify(made)}`);
  assert.ok(meanwhile > 0, 'mail was accepted while it ran');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const secret = readFileSync(path.join(origin.data_dir, 'secret'), 'utf8').trim();
  assert.ok(!readFileSync(file).includes(secret));
  service.child.kill('SIGTERM');
  await service.exited;

  const database = await createTestDatabase({ empty: true });
  const client = new Client(database.connection);
  await client.connect();
  t.after(async () => {
    await client.end();
    await database.drop();
  });
  const external = { ...here, DATABASE_URL: database.url };
  const restored = await json(['restore', file, '--to', database.url], here);
  assert.deepEqual([restored['rows'], restored['secret']], [made['rows'], 'present']);
  assert.equal((await json(['doctor'], external))['ok'], true);
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from messages where msg_id = any ($1::uuid[])',
    [before],
  );
  assert.equal(Number(rows[0]?.count), before.length);

  // And from there, through a pipe, into the data folder of another machine.
  const pipe = origin.start(['backup', '-', '--with-secret'], external);
  const exited = once(pipe, 'exit');
  await pipeline(pipe.stdout ?? assert.fail('no pipe'), createWriteStream(again));
  assert.deepEqual(await exited, [0, null]);
  const moved = await json(['restore', again], there);
  assert.deepEqual([moved['rows'], moved['secret']], [made['rows'], 'restored']);
  const next = await elsewhere.serve(['--roles', 'api']);
  await send(next.ready.base_url);
  assert.equal((await json(['doctor'], there))['ok'], true);
  await requireReadableKeys(client, readFileSync(path.join(elsewhere.data_dir, 'secret'), 'utf8').trim());
});

/** The DKIM keys that are in the database, with the secret that came with the backup. */
async function requireReadableKeys(client: Client, secret: string): Promise<void> {
  const { rows } = await client.query<{ private_key: Buffer; context: string }>(
    `select k.private_key, d.ownership_token || '/' || k.selector as context
     from dkim_keys k join domains d on d.id = k.domain_id where d.domain = 'acme.example'`,
  );
  assert.equal(rows.length, 2);
  for (const { private_key, context } of rows) {
    const der = new RootSecret(secret).decrypt('dkim', private_key, context);
    assert.equal(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).asymmetricKeyType, 'rsa');
  }
}

test('a damaged file, another secret and a file that is there are refused, and nothing is made or changed', async () => {
  const untouched = path.join(origin.dir, 'untouched');
  const env = { CHASQUI_DATA_DIR: untouched };
  const whole = readFileSync(file);
  const damaged = path.join(origin.dir, 'damaged.tar');
  const altered = Buffer.from(whole);
  altered[whole.length >> 1] = (altered[whole.length >> 1] ?? 0) ^ 1;
  for (const bytes of [altered, whole.subarray(0, whole.length >> 1)]) {
    writeFileSync(damaged, bytes);
    const { code, stderr } = await run(['restore', damaged], env);
    assert.equal(code, 1);
    assert.match(stderr, /^chasqui: The backup is (damaged|incomplete)[^\n]+\n$/);
  }
  const other = await run(['restore', file], {
    ...env,
    CHASQUI_SECRET: 'another root secret, for this test and no other',
  });
  assert.match(other.stderr, /The root secret here is not the one of the backup: nothing was changed\./);
  assert.match(
    (await run(['backup', file], env)).stderr,
    /backup\.tar is there already: nothing was changed\./,
  );
  assert.ok(readFileSync(file).equals(whole));
  assert.equal(existsSync(untouched), false);
});
