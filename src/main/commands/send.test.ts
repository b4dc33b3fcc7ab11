import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand, type Ended } from '../../../test/support/run-command.ts';
import { renderer } from '../../../test/support/template-renderer.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { createTemplate, publishTemplate } from '../../templates/templates.ts';

const actor = { kind: 'operator' } as const;

let service: TestService;
let tenant: Tenant;
/** As the service of tests has it. */
const secret = 'a root secret for tests, and for tests alone';
let folder: string;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  folder = await mkdtemp(path.join(tmpdir(), 'chq-send-'));
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.stop();
});

/** `chasqui send` to two people. */
async function send(...words: string[]): Promise<Ended> {
  const to = ['--to', 'ana@sandbox.test,eva@sandbox.test'];
  return await runCommand(['send', '--instance', tenant.instance.slug, ...to, ...words], environment());
}

const environment = () => ({
  DATABASE_URL: service.database.url,
  CHASQUI_DATA_DIR: folder,
  CHASQUI_SECRET: secret,
});

test('a mail is sent with the options of the API', async () => {
  const from = ['--sender-name', 'Ana, Ventas', '--reply-to', 'a@example.com, b@example.com'];
  const options = ['--recipients-visible', 'self', '--track-opens', 'off', '--track-clicks', 'on'];
  const { code, stdout, stderr } = await send(...from, ...options, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  const { message_id, mails } = JSON.parse(stdout);
  assert.equal(mails.length, 2);
  const [row] = await service.db.query<{ envelope: Record<string, unknown> }>(
    'select envelope from messages where msg_id = $1',
    [message_id],
  );
  const { from: author, reply_to, recipients_visible, untracked } = row?.envelope ?? {};
  assert.deepEqual(author, { address: `test@${tenant.instance.slug}.sandbox.test`, name: 'Ana, Ventas' });
  assert.deepEqual(reply_to, [{ address: 'a@example.com' }, { address: 'b@example.com' }]);
  assert.deepEqual([recipients_visible, untracked], ['self', ['opens']]);
});

test('a mail that is sent again under its key is not sent, and neither is a file', async () => {
  const again = async (...words: string[]) => JSON.parse((await send(...words, '--json')).stdout).message_id;
  const first = await again('--idempotency-key', 'once');
  assert.equal(await again('--idempotency-key', 'once'), first);
  const other = await send('--idempotency-key', 'once', '--subject', 'Other');
  assert.deepEqual([other.code, /another body/.test(other.stderr)], [1, true]);
  assert.match((await send('--idempotency-key', 'two words')).stderr, /visible ASCII/);
});

async function sendFile(lines: string[], ...words: string[]): Promise<Ended> {
  const file = path.join(folder, 'mails.jsonl');
  await writeFile(file, lines.join('\n'));
  const batch = ['send', 'batch', '--instance', tenant.instance.slug, file, ...words];
  return await runCommand(batch, environment());
}

test('a file is sent line by line, and what is refused is told by its line', async () => {
  const mail = (index: number) => ({
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: `file-${index}@sandbox.test` }],
    subject: `File ${index}`,
    html: '<p>x</p>',
  });
  const good = Array.from({ length: 1_001 }, (_, index) => JSON.stringify(mail(index)));
  const lines = [...good, 'no JSON', JSON.stringify({ ...mail(0), subject: '' })];
  const first = await sendFile(lines, '--idempotency-key', 'file');
  assert.deepEqual([first.code, first.stderr], [0, '']);
  const [head, ...refused] = first.stdout.trim().split('\n');
  assert.equal(head, '1001 accepted, 2 refused');
  assert.match(refused[0] ?? '', /^ {2}line 1002: validation_error: \/ Input should be a valid object$/);
  assert.match(refused[1] ?? '', /^ {2}line 1003: validation_error: \/subject /);
  assert.equal((await sendFile(lines, '--idempotency-key', 'file')).stdout, first.stdout);
  const none = await sendFile(lines.slice(-3), '--on-error', 'reject');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /line 2: [^]*line 3: /);
  const [row] = await service.db.query(`select count(*) from mails where subject like 'File %'`);
  assert.deepEqual(row, { count: 1_001 });
});

test('the command refuses what the API refuses', async () => {
  for (const [words, expected] of [
    [['--sender-name', 'x'.repeat(256)], /at most 255 characters/],
    [['--reply-to', 'nobody'], /not a valid email/],
    [['--recipients-visible', 'some'], /all, self/],
    [['--track-opens', 'maybe'], /on or off/],
  ] as const) {
    const { code, stderr } = await send(...words);
    assert.equal(code, 1);
    assert.match(stderr, expected);
  }
});

test('a template is sent by its alias, with variables of a file', async () => {
  const template = {
    name: 'T',
    alias: 'order.paid',
    subject: 'Order {{ number }}',
    source: '<p>{{ number }}</p>',
  };
  const { id } = await createTemplate(service.db, tenant.instance.id, { template, actor, renderer });
  await publishTemplate(service.db, tenant.instance.id, { id, actor });
  const file = path.join(folder, 'variables.json');
  await writeFile(file, '{ "number": 1001 }');
  const { code, stdout, stderr } = await send(
    '--template-alias',
    'order.paid',
    '--variables',
    `@${file}`,
    '--strict-variables',
    '--json',
  );
  assert.deepEqual([code, stderr], [0, '']);
  const [mail] = await service.db.query('select subject from mails where msg_id = $1 limit 1', [
    JSON.parse(stdout).message_id,
  ]);
  assert.deepEqual(mail, { subject: 'Order 1001' });

  const refused: [string[], RegExp][] = [
    [['--template-alias', 'order.unpaid'], /mail_template_not_found/],
    [['--template-alias', 'order.paid', '--strict-variables'], /missing_variable|number/],
    [['--template-alias', 'order.paid', '--variables', '[1]'], /JSON object/],
    [['--template-alias', 'order.paid', '--html', '<p>x</p>'], /html comes from the template/],
    [['--variables', '{"a":1}'], /template_id or a template_alias/],
  ];
  for (const [words, expected] of refused) assert.match((await send(...words)).stderr, expected);
});
