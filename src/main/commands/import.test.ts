import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
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
  folder = await mkdtemp(path.join(tmpdir(), 'chq-import-'));
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.stop();
});

/** `chasqui import …` */
async function chasqui(...words: string[]): Promise<Ended> {
  const env = { DATABASE_URL: service.database.url, CHASQUI_DATA_DIR: folder };
  return await runCommand(['import', ...words, '--instance', tenant.instance.slug], env);
}
// oxlint-disable-next-line typescript/no-explicit-any
async function json(...words: string[]): Promise<any> {
  const { code, stdout, stderr } = await chasqui(...words, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

async function file(name: string, content: unknown): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, typeof content === 'string' ? content : JSON.stringify(content));
  return at;
}

async function restricted(): Promise<[string, string, string | null][]> {
  const rows = await service.db.query<{ recipient: string; reason: string; detail: string | null }>(
    'select recipient, reason, detail from restrictions where instance_id = $1 order by id',
    [tenant.instance.id],
  );
  await service.db.query('delete from restrictions where instance_id = $1', [tenant.instance.id]);
  return rows.map(({ recipient, reason, detail }) => [recipient, reason, detail]);
}

test('a suppression list of Resend is tried, imported, and imported again without doubling', async () => {
  const csv = await file(
    'resend.csv',
    'id,email,origin,created_at\n1,ana@x.test,bounce,2026-01-02\n2,bea@x.test,complaint,\n3,nobody,manual,\n4,cid@x.test,other,\n',
  );
  const counts = { rows: 4, added: 2, already_restricted: 0, left_out: 2 };
  const tried = await json('resend', csv, '--dry-run');
  assert.deepEqual([tried.dry_run, tried.suppressions], [true, counts]);
  const first = await json('resend', csv);
  assert.deepEqual(first.suppressions, counts);
  assert.deepEqual(
    first.left_out.map(({ line, value, reason }: Record<string, unknown>) => [line, value, reason]),
    [
      [5, 'cid@x.test', 'other is not a reason to suppress'],
      [4, 'nobody', 'invalid_email'],
    ],
  );
  const again = await chasqui('resend', csv);
  assert.match(
    again.stdout,
    /^4 addresses: 0 added, 2 restricted already, 2 left out\n {2}.*resend\.csv, 5: other/,
  );
  assert.deepEqual(await restricted(), [
    ['ana@x.test', 'hard_bounce', 'Imported from Resend, 2026-01-02'],
    ['bea@x.test', 'complaint', 'Imported from Resend'],
  ]);
});

test('a dry run changes nothing', async () => {
  const list = await file('dry.json', [{ EmailAddress: 'dry@x.test', SuppressionReason: 'HardBounce' }]);
  const template = await file('dry-template.json', {
    TemplateId: 1,
    Name: 'Dry',
    Subject: 'a',
    HtmlBody: 'b',
  });
  const { suppressions, templates } = await json('postmark', list, template, '--dry-run');
  assert.deepEqual([suppressions.added, templates[0].state, templates[0].id], [1, 'imported', null]);
  assert.deepEqual(await restricted(), []);
  assert.deepEqual((await tenant.api.get('/v1/mail-templates?external_id=postmark/1')).json.data, []);
});

test('only contacts that the other service does not send to are restricted', async () => {
  const contacts = await file('contacts.csv', 'email,unsubscribed\nin@x.test,false\nout@x.test,true\n');
  assert.deepEqual((await json('resend', contacts)).suppressions.left_out, 2);
  assert.deepEqual((await json('resend', contacts, '--reason', 'manual')).suppressions.added, 1);
  const bounces = await file('bounces.json', {
    TotalCount: 3,
    Bounces: [
      { Email: 'soft@x.test', Type: 'SoftBounce', Inactive: true },
      { Email: 'fine@x.test', Type: 'HardBounce', Inactive: false },
      { Email: 'hard@x.test', Type: 'HardBounce', Inactive: true, Description: 'No such user' },
    ],
  });
  assert.equal((await json('postmark', bounces)).suppressions.left_out, 2);
  const listed = await file(
    'listed.csv',
    '\ufeffRecipient,Reason,Date\r\nbad@x.test,HardBounce,2026-01-02\r\n',
  );
  assert.equal((await json('postmark', listed)).suppressions.added, 1);
  const lists = await file('sendgrid.json', [
    { created: 1, email: 'gone@x.test', reason: '550 gone', status: '5.1.1' },
    { created: 1, email: 'busy@x.test', reason: '421 busy', status: '4.7.0' },
    { created: 1, email: 'spam@x.test', ip: '192.0.2.1' },
    { created: 1, email: 'bye@x.test' },
    { email: 'group@x.test', group_id: 3, group_name: 'News' },
    'nothing',
  ]);
  assert.equal((await json('sendgrid', lists)).suppressions.left_out, 3);
  assert.deepEqual(await restricted(), [
    ['out@x.test', 'manual', 'Imported from Resend'],
    ['hard@x.test', 'hard_bounce', 'Imported from Postmark, No such user'],
    ['bad@x.test', 'hard_bounce', 'Imported from Postmark, HardBounce'],
    ['gone@x.test', 'hard_bounce', 'Imported from SendGrid, 550 gone, 1'],
    ['spam@x.test', 'complaint', 'Imported from SendGrid, 1'],
    ['bye@x.test', 'manual', 'Imported from SendGrid, 1'],
  ]);
});

test('templates become drafts that are sent by their old id, once', async () => {
  const id = 'd-0a1b2c3d4e5f60718293a4b5c6d7e8f9';
  const version = { active: 1, subject: 'Hi {{name}}', plain_content: 'Hi {{name}}' };
  const templates = await file('templates.json', {
    result: [
      { id: 'd-1', name: 'Old', generation: 'legacy', versions: [] },
      {
        id,
        name: 'Welcome',
        versions: [{ active: 0 }, { ...version, html_content: '<p>{{{name}}}</p>' }],
      },
      {
        id: 'd-3',
        name: 'Other',
        versions: [{ ...version, html_content: 'a\n{{#equals a b}}x{{/equals}}' }],
      },
      { id: 'd-4', name: 'Listed', versions: [version] },
    ],
  });
  const { templates: made } = await json('sendgrid', templates);
  assert.deepEqual(
    made.map(({ name, state, remarks }: Record<string, unknown>) => [name, state, remarks]),
    [
      ['Old', 'left_out', ['a legacy template']],
      ['Welcome', 'imported', ['html, line 1: {{{name}}}: the value is escaped here']],
      ['Other', 'left_out', ['html, line 2: {{#equals a b}}']],
      ['Listed', 'left_out', ['has no content: export each template, not their list']],
    ],
  );
  const { json: draft } = await tenant.api.get(`/v1/mail-templates/${made[1].id}`);
  assert.deepEqual(
    [draft.alias, draft.external_id, draft.is_published, draft.subject, draft.source, draft.text],
    [id, `sendgrid/${id}`, false, 'Hi {{ name }}', '<p>{{ name }}</p>', 'Hi {{ name }}'],
  );
  const again = await json('sendgrid', templates);
  assert.deepEqual([again.templates[1].state, again.templates[1].id], ['present', made[1].id]);
  assert.equal((await tenant.api.get('/v1/mail-templates')).json.data.length, 1);

  const others = await file('resend-template.json', {
    object: 'template',
    id: '34a080c9',
    alias: id,
    name: 'Taken',
    html: 'a',
  });
  assert.match(
    (await chasqui('resend', others)).stdout,
    /"Taken": left out\n {4}template \d+ has the alias d-0a1b/,
  );
});

test('a report tells 10,000 entries of a file and 50 lines of a template, and counts the others', async () => {
  const contacts = await file('many.csv', `email,unsubscribed\n${'a@x.test,false\n'.repeat(10_001)}`);
  const html = '{{x}}\n'.repeat(60);
  const template = await file('many.json', { object: 'template', id: 'many', name: 'Many', html });
  const report = await json('resend', contacts, template);
  assert.deepEqual([report.suppressions.left_out, report.left_out.length], [10_001, 10_000]);
  const [{ remarks }] = report.templates;
  assert.deepEqual([remarks.length, remarks[50]], [51, 'and 10 more']);
});

const refusals: [string, () => Promise<string[]>, RegExp][] = [
  ['no file', async () => [], /Give the path/],
  ['a missing file', async () => ['nowhere.csv'], /nowhere\.csv/],
  ['an unknown reason', async () => ['x.csv', '--reason', 'spam'], /--reason is one of/],
  ['CSV without names', async () => [await file('bare.csv', 'ana@x.test\n')], /names of its columns/],
  [
    'a quote that is never closed',
    async () => [await file('open.csv', 'email\n"ana@x.test\n')],
    /nothing was imported/,
  ],
  ['broken JSON', async () => [await file('broken.json', '[{')], /is not JSON/],
  [
    'JSON that is too large',
    async () => {
      const large = await file('large.json', '[');
      await truncate(large, 64 * 1024 * 1024 + 1);
      return [large];
    },
    /more than 67 MB/,
  ],
];
for (const [title, words, message] of refusals) {
  test(`refused with one line: ${title}`, async () => {
    const { code, stdout, stderr } = await chasqui('postmark', ...(await words()));
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
    assert.match(stderr, /^chasqui: .*\n$/);
  });
}
