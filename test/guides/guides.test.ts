import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { startDnsServer } from '../support/dns-server.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService, type Tenant } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookSink } from '../support/webhook-sink.ts';
import { blocksOf, commandsOf, guides, guideText, optional } from './guide-blocks.fixture.ts';
import {
  asReader,
  createAccount,
  look,
  piecesOf,
  publishDomain,
  type Surroundings,
} from './guide-reader.fixture.ts';
import { openShell, serveCommands, type Commands } from './guide-shell.fixture.ts';

const isMissing = (program: string): boolean =>
  spawnSync(program, ['--version']).error !== undefined &&
  spawnSync(program, ['version']).error !== undefined;
/** Without Debian's libnet-ssleay-perl, which it only recommends. */
const swaksLacksTls = (): boolean =>
  spawnSync('swaks', ['--support'], { encoding: 'utf8' }).stderr.includes('TLS not available');
/** The guides talk through these. */
const missing = ['bash', 'curl', 'jq'].find(isMissing);
const skip = missing === undefined ? false : `there is no ${missing}`;
const without = optional.filter((program) => isMissing(program) || (program === 'swaks' && swaksLacksTls()));

let around: Surroundings;
let commands: Commands;
const home = process.cwd();
before(async () => {
  const world = await startDnsServer({});
  const service = await startTestService({
    roles: 'api,web,submission,inbound,dns,delivery,webhooks,jobs',
    env: {
      CHASQUI_PLATFORM_DOMAIN: 'chasqui.test',
      CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true',
      CHASQUI_DNS_SERVERS: world.address,
    },
  });
  const sink = await startWebhookSink();
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-guides-'));
  around = { service, world, sink, folder, databases: [] };
  commands = await serveCommands(async ([command]) => {
    const isRestore = command === 'restore';
    const target = isRestore ? await createTestDatabase({ empty: true }) : service.database;
    if (isRestore) around.databases.push(target);
    return {
      DATABASE_URL: target.url,
      CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
      CHASQUI_DNS_SERVERS: world.address,
    };
  });
});
after(async () => {
  process.chdir(home);
  commands.stop();
  await around.service.stop();
  await around.sink.stop();
  await around.world.stop();
  for (const database of around.databases) await database.drop();
  await rm(around.folder, { recursive: true, force: true });
});

test('the commands of the guides work, in their order and in one instance', { skip }, async (t) => {
  const tenant = await around.service.tenant({ slug: 'demo' });
  for (const guide of guides) await t.test(guide, async (each) => await follow(each, guide, tenant));
});

test('each guide works by itself', { skip }, async (t) => {
  for (const [index, guide] of guides.entries()) {
    const tenant = await around.service.tenant({ slug: `alone-${index}` });
    await t.test(guide, async (each) => await follow(each, guide, tenant));
  }
});

async function follow(t: TestContext, guide: string, tenant: Tenant): Promise<void> {
  const cwd = await mkdtemp(path.join(around.folder, 'reader-'));
  // Commands read files where the reader is.
  process.chdir(cwd);
  await prepare(guideText(guide), tenant, cwd);
  const shell = openShell({ cwd, commands_url: commands.url });
  const run = async (piece: string, printed: string): Promise<string> => {
    const lines = await asReader(piece, { ...around, folder: cwd }, { tenant, printed });
    return await shell.run(lines).catch((error: unknown) => {
      throw new Error(`${guide}.md: ${(error as Error).message}`, { cause: error });
    });
  };
  try {
    await shell.run(`export KEY='${tenant.api_key}'`);
    let last = '';
    for (const block of commandsOf(guide)) {
      const absent = without.find((program) => block.startsWith(`${program} `));
      if (absent !== undefined) {
        t.diagnostic(`not followed, there is no ${absent}: ${block.split('\n')[0]}`);
        continue;
      }
      await atRest();
      let printed = '';
      for (const piece of piecesOf(block)) printed += `${await run(piece, last + printed)}\n`;
      last = printed;
      if (block.includes('domain create')) await publishDomain(around, tenant);
      // Events of a pause are not delivered, and the next block may be one.
      if (block.includes('+hook@')) await look('DELIVERY_ID', around.service, tenant);
    }
  } finally {
    await shell.stop();
  }
}

/** What every reader has: a first mail and, where a guide needs them, an account, files, and a template of the panel. */
async function prepare(text: string, tenant: Tenant, cwd: string): Promise<void> {
  const { slug } = tenant.instance;
  await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${slug}.sandbox.test`,
    to: [{ email: 'first@sandbox.test' }],
    subject: 'Hello',
    html: '<p>It works.</p>',
  });
  await createAccount(text, around.service, tenant);
  await writeFile(path.join(cwd, 'invoice.pdf'), 'an invoice');
  const block = (language: string): string | undefined =>
    blocksOf(text).find((each) => each.language === language)?.text;
  const [html, mjml] = [block('html'), block('xml')];
  if (html === undefined || mjml === undefined) return;
  await writeFile(path.join(cwd, 'welcome.html'), html);
  await writeFile(path.join(cwd, 'welcome.mjml'), mjml);
  const template = [
    '--name',
    'Welcome',
    '--subject',
    'Welcome',
    '--html',
    '<p>{{ coupon }}</p>',
    '--publish',
  ];
  const { code, printed } = await commands.run(['template', 'create', '--instance', slug, ...template]);
  assert.equal(code, 0, printed);
}

/** Everything that was sent has arrived, but for mail of a later day: a reader is slower than the queue. */
async function atRest(): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    const [row] = await around.service.db.query<{ busy: boolean }>(
      `select exists (select from queue where attempts = 0 and held_since is null
        and (lease is not null or due_at < now() + interval '1 hour')) as busy`,
    );
    return row?.busy === false;
  };
  await waitFor(isDone, { timeout_ms: 20_000, what: 'the queue to be empty' });
}
