import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts';
import { openShell, serveCommands, type Shell } from './guide-shell.fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** In the order in which a new user reads them. */
const guides = [
  'README',
  'docs/sending',
  'docs/sandbox',
  'docs/tracking',
  'docs/activity',
  'docs/explanations',
  'docs/suppressions',
  'docs/bounces-and-complaints',
  'docs/consent',
  'docs/forms',
  'docs/webhooks',
  'docs/delivery',
  'docs/retention',
  'docs/templates',
  'docs/frameworks',
];

/**
 * Not for this service: starting another one, its tests, lines of a configuration, and what needs a person who signed
 * in.
 */
const elsewhere = /^(?:npm |[A-Z_]+=\S+ npm |CHASQUI_)|PANEL|TOKEN/;

/** The guides talk through both. */
const missing = ['bash', 'curl'].find((program) => spawnSync(program, ['--version']).error !== undefined);
const skip = missing === undefined ? false : `there is no ${missing}`;

let service: TestService;
let commands: Awaited<ReturnType<typeof serveCommands>>;
let folder: string;
let sink: WebhookSink;
const home = process.cwd();
before(async () => {
  service = await startTestService({
    roles: 'api,web,submission,inbound,delivery,webhooks,jobs',
    env: { CHASQUI_PLATFORM_DOMAIN: 'chasqui.test', CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' },
  });
  commands = await serveCommands({
    DATABASE_URL: service.database.url,
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
  });
  sink = await startWebhookSink();
  folder = await mkdtemp(path.join(tmpdir(), 'chq-guides-'));
  await writeFile(path.join(folder, 'invoice.pdf'), 'an invoice');
  // Commands read files where the reader is.
  process.chdir(folder);
});
after(async () => {
  process.chdir(home);
  commands.stop();
  await service.stop();
  await sink.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the commands of these guides work, in their order and in one instance', { skip }, async (t) => {
  const tenant = await service.tenant({ slug: 'demo' });
  for (const guide of guides) await t.test(guide, async () => await follow(guide, tenant));
});

test('each of these guides works alone', { skip }, async (t) => {
  for (const [index, guide] of guides.entries()) {
    const tenant = await service.tenant({ slug: `alone-${index}` });
    await t.test(guide, async () => await follow(guide, tenant));
  }
});

async function follow(guide: string, tenant: Tenant): Promise<void> {
  const text = await readFile(path.join(root, `${guide}.md`), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .map(([, block = '']) => block)
    .filter((block) => !elsewhere.test(block));
  assert.notEqual(blocks.length, 0, `${guide} has commands`);
  await prepare(text, tenant);
  const shell: Shell = openShell({ cwd: folder, commands_url: commands.url });
  try {
    await shell.run(`export KEY='${tenant.api_key}'`);
    let printed = '';
    for (const block of blocks) {
      await atRest();
      const lines = await asThisService(block, tenant, printed);
      printed = await shell.run(lines).catch((error: unknown) => {
        throw new Error(`${guide}.md: ${(error as Error).message}`, { cause: error });
      });
      // Events of a pause are not delivered, and the next block may be one.
      if (block.includes('+hook@')) await look(looked['DELIVERY_ID'] ?? '', tenant);
    }
  } finally {
    await shell.stop();
  }
}

/** What every reader has: a first mail, and in the guide to templates one made in the panel, and its files. */
async function prepare(text: string, { api, instance: { slug } }: Tenant): Promise<void> {
  await api.post('/v1/mails/send', {
    sender_email: `test@${slug}.sandbox.test`,
    to: [{ email: 'first@sandbox.test' }],
    subject: 'Hello',
    html: '<p>It works.</p>',
  });
  const [, html] = /^```html\n([^]*?)^```$/m.exec(text) ?? [];
  const [, mjml] = /^```xml\n([^]*?)^```$/m.exec(text) ?? [];
  if (html === undefined || mjml === undefined) return;
  await writeFile(path.join(folder, 'welcome.html'), html);
  await writeFile(path.join(folder, 'welcome.mjml'), mjml);
  const template = [
    '--name',
    'Welcome',
    '--subject',
    'Welcome',
    '--html',
    '<p>{{ coupon }}</p>',
    '--publish',
  ];
  const made = ['template', 'create', '--instance', slug, ...template];
  assert.equal((await fetch(commands.url, { method: 'POST', body: `${made.join('\0')}\0` })).status, 200);
}

/** Everything that was sent has arrived: a reader is slower than the queue. */
async function atRest(): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    const [row] = await service.db.query<{ busy: boolean }>(
      'select exists (select from queue where attempts = 0 and held_since is null) as busy',
    );
    return row?.busy === false;
  };
  await waitFor(isDone, { timeout_ms: 20_000, what: 'the queue to be empty' });
}

/** Where a reader finds what a guide calls by these names: the newest one of the instance. */
const looked: Record<string, string> = {
  MAIL_ID: 'select mail_id as value from mails where instance_id = $1 order by mail_id desc limit 1',
  MSG_ID: 'select msg_id as value from mails where instance_id = $1 order by mail_id desc limit 1',
  SENDER_ID: 'select min(id) as value from senders where instance_id = $1',
  TERM_ID: 'select max(id) as value from consent_terms where instance_id = $1',
  PURPOSE_ID: "select id as value from consent_purposes where instance_id = $1 and code = 'newsletter'",
  FORM_ID: 'select max(id) as value from forms where instance_id = $1',
  WEBHOOK_ID: 'select max(id) as value from webhooks where instance_id = $1',
  DELIVERY_ID: `select max(d.id) as value from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where w.instance_id = $1`,
  TEMPLATE_ID: 'select max(id) as value from mail_templates where instance_id = $1',
};

async function look(query: string, { instance }: Tenant): Promise<string> {
  const find = async () =>
    (await service.db.query<{ value: string | number | null }>(query, [instance.id]))[0]?.value;
  return String(await waitFor(find, { what: query }));
}

/** What a reader puts in: the address of the service, the key, ids, the link of the last unsubscribe header. */
async function asThisService(block: string, tenant: Tenant, printed: string): Promise<string> {
  let lines = block
    .replaceAll('http://localhost:8080', service.base_url)
    .replaceAll('localhost:2525', String(service.service.addresses.inbound))
    .replaceAll('https://example.com/hooks/mail', sink.url)
    .replaceAll('chq.…', tenant.api_key)
    .replaceAll(/\bdemo\b/g, tenant.instance.slug);
  const [, token = ''] = /List-Unsubscribe:[^]*?<https?:\/\/[^/>]+(\/[^>]+)>/i.exec(printed) ?? [];
  const link = `${service.base_url}${token}`;
  const [, anchor = ''] = [...printed.matchAll(/through (\d+:[\da-f]+)/g)].at(-1) ?? [];
  lines = lines
    .replaceAll(/^export LINK=\S+/gm, `export LINK=${link}`)
    .replaceAll(/^export ANCHOR=\S+/gm, `export ANCHOR=${anchor}`);
  for (const [name, query] of Object.entries(looked)) {
    const pattern = new RegExp(`^export ${name}=\\S+`, 'gm');
    if (!pattern.test(lines)) continue;
    lines = lines.replaceAll(pattern, `export ${name}=${await look(query, tenant)}`);
  }
  return lines;
}
