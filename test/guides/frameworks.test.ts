import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { createSmtpCredential } from '../../src/credentials/smtp-credentials.ts';
import { selfSignedCertificate } from '../../src/protocol/tls/self-signed-certificate.ts';
import { bodyValidator } from '../support/contract.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { blocksOf, guideText } from './guide-blocks.fixture.ts';
import { djangoProgram, laravel, rails } from './framework-programs.fixture.ts';
import { readLiteral } from './literal-body.fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');
const guide = blocksOf(guideText('docs/frameworks'));
const find = (language: string, part: string): string => {
  const found = guide.filter((block) => block.language === language && block.text.includes(part));
  assert.equal(found.length, 1, `${language} with ${part}`);
  return found[0]?.text ?? '';
};
/** The name and port that the settings have; the certificate is for it, and it leads to this machine. */
const host = 'mail.example.com';
const port = 2587;

let service: TestService;
let tenant: Tenant;
let login: { user: string; password: string };
let project: string;
let certificate: string;
const environment = () => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PYTHONPATH: process.env['PYTHONPATH'],
  CHASQUI_URL: service.base_url,
  CHASQUI_API_KEY: tenant.api_key,
  CHASQUI_SMTP_USER: login.user,
  CHASQUI_SMTP_PASSWORD: login.password,
  SMTP_USER: login.user,
  SMTP_PASSWORD: login.password,
});
before(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'chq-frameworks-'));
  const { cert, key } = selfSignedCertificate({ names: [host], valid_from: new Date(), valid_days: 2 });
  certificate = cert;
  await writeFile(path.join(project, 'cert.pem'), cert);
  await writeFile(path.join(project, 'key.pem'), key);
  service = await startTestService({
    roles: 'api,submission',
    env: {
      CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true',
      CHASQUI_TLS_CERT_FILE: path.join(project, 'cert.pem'),
      CHASQUI_TLS_KEY_FILE: path.join(project, 'key.pem'),
    },
  });
  tenant = await service.tenant({ slug: 'demo' });
  const made = { name: 'website', actor: { kind: 'operator' as const } };
  const { username, password } = await service.db.transaction(
    async (tx) => await createSmtpCredential(tx, tenant.instance.id, made),
  );
  login = { user: username, password };
});
after(async () => {
  await service.stop();
  await rm(project, { recursive: true, force: true });
});

const submission = (): { host: string; port: number } => {
  const [address = '', number] = service.service.addresses.submission?.starttls.split(':') ?? [];
  return { host: address, port: Number(number) };
};

/** How many mails the service has with such a subject. */
async function countOf(query: Record<string, string>): Promise<number> {
  const { json } = await tenant.api.get(`/v1/mails?${new URLSearchParams(query).toString()}`);
  return json.data.length;
}

test('the route handlers of Next.js send, refuse, and accept only signed events', async (t) => {
  const installed = path.join(project, 'node_modules/chasqui-client');
  await mkdir(installed, { recursive: true });
  await symlink(path.join(root, 'clients/typescript/src'), path.join(installed, 'src'));
  await writeFile(
    path.join(installed, 'package.json'),
    JSON.stringify({ type: 'module', exports: './src/index.ts' }),
  );
  type Handler = { POST: (request: Request) => Promise<Response> };
  const load = async (part: string): Promise<Handler> => {
    const block = find('ts', part);
    const file = path.join(project, /^\/\/ (\S+)/.exec(block)?.[1] ?? '');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, block);
    return (await import(pathToFileURL(file).href)) as Handler;
  };
  await writeFile(path.join(project, 'package.json'), '{ "type": "module" }');
  Object.assign(process.env, { CHASQUI_URL: service.base_url, CHASQUI_API_KEY: tenant.api_key });
  const welcome = await load('createClient, isProblem');
  const ask = async (email: string): Promise<Response> =>
    await welcome.POST(
      new Request('http://next.test/api/welcome', {
        method: 'POST',
        body: JSON.stringify({ email, name: 'Ana' }),
      }),
    );
  const { message_id } = (await (await ask('next@sandbox.test')).json()) as { message_id: string };
  assert.equal(await countOf({ msg_id: message_id }), 1);
  const refused = await ask('no address');
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /\/to\/0\/email/);

  const events = await load('verifyWebhook');
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const headers = incoming.headers as Record<string, string>;
      const body = await buffer(incoming);
      const request = new Request('http://next.test/', { method: 'POST', headers, body });
      const { status } = await events.POST(request);
      outgoing.writeHead(status).end();
    })();
  }).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { json: webhook } = await tenant.api.post('/v1/webhooks', { name: 'next', url });
  const deliver = async (): Promise<number> =>
    (await tenant.api.post(`/v1/webhooks/${webhook.id}/test`)).json.status_code;
  process.env['WEBHOOK_SECRET'] = webhook.secret;
  t.mock.method(console, 'log', () => undefined);
  assert.equal(await deliver(), 204);
  process.env['WEBHOOK_SECRET'] = `whsec_${Buffer.alloc(32).toString('base64')}`;
  assert.equal(await deliver(), 400);
});

test('nodemailer sends with the settings of the guide to SMTP', async () => {
  const block = blocksOf(guideText('docs/smtp')).find(({ language }) => language === 'js');
  const { host: address, port: number } = submission();
  const text = (block?.text ?? '')
    .replace("host: 'localhost'", `host: '${address}'`)
    .replace('port: 2587', `port: ${number}`);
  assert.notEqual(text, block?.text);
  await symlink(path.join(root, 'node_modules/nodemailer'), path.join(project, 'node_modules/nodemailer'));
  await writeFile(path.join(project, 'send.mjs'), text);
  const { stdout } = await promisify(execFile)(process.execPath, ['send.mjs'], {
    cwd: project,
    env: environment(),
  });
  assert.match(stdout, /^250 2\.0\.0 queued as [\da-f-]{36}$/m);
});

const has = (program: string, words: string[]): boolean => spawnSync(program, words).status === 0;
const django = has('python3', ['-c', 'import django']);
const python = has('python3', ['--version']) ? false : 'there is no python3';

test(
  `the settings of Django send, by ${django ? 'Django' : 'smtplib, since there is no Django'}`,
  { skip: python },
  async () => {
    await writeFile(path.join(project, 'settings.py'), find('python', 'EMAIL_HOST'));
    await writeFile(path.join(project, 'send.py'), djangoProgram({ host, port }, submission()));
    const env = { ...environment(), SSL_CERT_FILE: path.join(project, 'cert.pem') };
    const { stdout } = await promisify(execFile)('python3', ['send.py'], { cwd: project, env });
    assert.equal(stdout.trim(), django ? 'Django' : 'smtplib');
    assert.equal(await countOf({ subject: 'From Django', category: 'orders' }), 1);
  },
);

/** What both frameworks say to the server, by what stands in their settings. */
for (const [framework, read] of Object.entries({ Laravel: laravelSettings, Rails: railsSettings })) {
  test(`the settings of ${framework} send`, async () => {
    const settings = read();
    assert.deepEqual({ host: settings.host, port: settings.port }, { host, port });
    const transport = createTransport({
      ...submission(),
      requireTLS: true,
      auth: { user: login.user, pass: login.password },
      tls: { ca: certificate, servername: settings.host },
    });
    const subject = `From ${framework}`;
    await transport.sendMail({ from: settings.from, to: 'ana@sandbox.test', subject, text: 'It works.' });
    assert.equal(await countOf({ subject }), 1);
  });
}

function laravelSettings(): { host: string; port: number; from: string } {
  const lines = [...find('ini', 'MAIL_MAILER').matchAll(/^(\w+)=(.*)$/gm)];
  const env = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
  assert.equal(env['MAIL_MAILER'], 'smtp');
  assert.match(env['MAIL_USERNAME'] ?? '', /^chq-/);
  return {
    host: env['MAIL_HOST'] ?? '',
    port: Number(env['MAIL_PORT']),
    from: env['MAIL_FROM_ADDRESS'] ?? '',
  };
}

function railsSettings(): { host: string; port: number; from: string } {
  const block = find('ruby', 'smtp_settings');
  const [, literal = ''] = /smtp_settings = ([^]*)/.exec(block) ?? [];
  const settings = readLiteral(literal, (name) => name) as Record<string, string>;
  const [, number] = /port: (\d+),/.exec(block) ?? [];
  assert.deepEqual(Object.keys(settings), [
    'address',
    'port',
    'user_name',
    'password',
    'authentication',
    'enable_starttls',
  ]);
  assert.match(block, /authentication: :plain,\n\s+enable_starttls: true,/);
  return { host: settings['address'] ?? '', port: Number(number), from: 'test@demo.sandbox.test' };
}

const bodies = { php: /\/v1\/mails\/send', (\[[^]*)/, ruby: /mails\/send"\),\n\s*(\{[^]*)/ };
for (const [language, pattern] of Object.entries(bodies)) {
  test(`the body in ${language} is one that the contract has and the service takes`, async () => {
    const [, literal = ''] = pattern.exec(find(language, '/v1/mails/send')) ?? [];
    const body = readLiteral(literal, (name) => (name === 'email' ? `${language}@sandbox.test` : 'Ana'));
    const validate = bodyValidator('post', '/v1/mails/send');
    assert.ok(validate(body), JSON.stringify(validate.errors));
    const { status, text } = await tenant.api.post('/v1/mails/send', body);
    assert.equal(status, 200, text);
  });
}

const ruby = has('ruby', ['--version']) ? false : 'there is no ruby';
test(`the request of Rails sends${ruby ? `: skipped, ${ruby}` : ''}`, { skip: ruby }, async () => {
  await writeFile(
    path.join(project, 'send.rb'),
    `${rails}${find('ruby', 'Net::HTTP')}\nputs response.body\n`,
  );
  const { stdout } = await promisify(execFile)('ruby', ['send.rb'], { cwd: project, env: environment() });
  assert.match(stdout, /"message_id"/);
});

const php = has('php', ['--version']) ? false : 'there is no php';
test(`the request of Laravel sends${php ? `: skipped, ${php}` : ''}`, { skip: php }, async () => {
  await writeFile(path.join(project, 'send.php'), `${laravel}${find('php', 'Http::')}\necho $sent;\n`);
  const { stdout } = await promisify(execFile)('php', ['send.php'], { cwd: project, env: environment() });
  assert.match(stdout, /^[\da-f-]{36}$/);
});
