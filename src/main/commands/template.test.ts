import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand, type Ended } from '../../../test/support/run-command.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
let folder: string;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  folder = await mkdtemp(path.join(tmpdir(), 'chq-template-'));
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.stop();
});

/** `chasqui template …` */
async function chasqui(...words: string[]): Promise<Ended> {
  const env = { DATABASE_URL: service.database.url, CHASQUI_DATA_DIR: folder };
  return await runCommand(['template', ...words, '--instance', tenant.instance.slug], env);
}

async function file(name: string, content: string | Buffer): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, content);
  return `@${at}`;
}

const named = ['--name', 'Welcome', '--subject', 'Hi {{ recipient.name }}'];

test('a template is made of files and published', async () => {
  const html = await file('welcome.html', '\u{feff}<p>Hola, {{ recipient.name }}: año</p>\n');
  const text = await file('welcome.txt', 'Hola\n');
  const created = await chasqui('create', ...named, '--html', html, '--text', text, '--publish', '--json');
  assert.deepEqual([created.code, created.stderr], [0, '']);
  const printed = JSON.parse(created.stdout);
  assert.equal(printed.is_published, true);
  const { json } = await tenant.api.get(`/v1/mail-templates/${printed.id}`);
  assert.deepEqual(json, printed);
  assert.equal(json.html, '<p>Hola, {{ recipient.name }}: año</p>\n', 'without the byte order mark');
  assert.deepEqual([json.text, json.editor], ['Hola\n', 'html']);
  const trail = await service.db.query(
    `select action, actor_kind from audit_events where object_kind = 'mail_template' and object_id = $1 order by id`,
    [String(printed.id)],
  );
  assert.deepEqual(trail, [
    { action: 'mail_template.created', actor_kind: 'operator' },
    { action: 'mail_template.published', actor_kind: 'operator' },
  ]);
});

test('content may stand on the line itself, in MJML too', async () => {
  const mjml =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>';
  const created = await chasqui('create', ...named, '--mjml', mjml);
  assert.equal(created.code, 0);
  const [, id = ''] = /^Template (\d+) 'Welcome' is a draft\.\n$/.exec(created.stdout) ?? [];
  const { json } = await tenant.api.get(`/v1/mail-templates/${id}`);
  assert.deepEqual([json.editor, json.source, json.is_published], ['mjml', mjml, false]);
  assert.match(json.html, /<!doctype html>/i);
});

test('the list names every template, its state and its alias', async () => {
  const { data: all } = JSON.parse((await chasqui('list', '--json')).stdout);
  const draft = all.find(({ is_published }: { is_published: boolean }) => !is_published);
  const edited = await chasqui('edit', String(draft.id), '--alias', 'order.paid');
  assert.deepEqual([edited.code, edited.stderr], [0, '']);
  const { stdout } = await chasqui('list');
  assert.match(
    stdout,
    /^ID +STATE +ALIAS +NAME\n\d+ +published +Welcome\n\d+ +draft +order\.paid +Welcome\n$/,
  );
  const { data } = JSON.parse((await chasqui('list', '--json')).stdout);
  assert.deepEqual((await tenant.api.get('/v1/mail-templates')).json.data, data);
});

const refusals: [string, () => Promise<string[]>, RegExp][] = [
  ['no content', async () => named, /either --html or --mjml/],
  ['both kinds', async () => [...named, '--html', 'x', '--mjml', 'x'], /either --html or --mjml/],
  ['no subject', async () => ['--name', 'x', '--html', 'x'], /--subject is required/],
  ['a missing file', async () => [...named, '--html', '@nowhere.html'], /nowhere\.html/],
  [
    'a file that is no UTF-8',
    async () => [...named, '--html', await file('latin1.html', Buffer.from([0x61, 0xf1]))],
    /latin1\.html is not in UTF-8/,
  ],
  [
    'a NUL',
    async () => [...named, '--html', await file('nul.html', 'a\0b')],
    /without NUL characters \(validation_error\)/,
  ],
  ['a subject that is too long', async () => [...named.slice(0, 3), 'x'.repeat(255), '--html', 'x'], /254/],
  ['broken Liquid', async () => [...named, '--html', 'a\n{{ b'], /Line 2, column 1: .*\(validation_error\)/],
  ['broken MJML', async () => [...named, '--mjml', '<mjml><mj-body><mj-no /></mj-body></mjml>'], /Line 1/],
];
for (const [title, words, message] of refusals) {
  test(`refused with one line: ${title}`, async () => {
    const { code, stdout, stderr } = await chasqui('create', ...(await words()));
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
    assert.match(stderr, /^chasqui: .*\n$/);
  });
}
