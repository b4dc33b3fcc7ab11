import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/mail-templates';

let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
let viewer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

const first = { subject: 'One', source: '<p>1</p>', text: null };

async function create(content: object = first): Promise<number> {
  const { status, json, text } = await developer.post(path, { name: 'T', ...content });
  assert.equal(status, 201, text);
  return json.id;
}

const versions = async (id: number) => (await viewer.get(`${path}/${id}/versions`)).json.data;

test('each save that changes the content keeps a version, with who saved it', async () => {
  const id = await create();
  await developer.patch(`${path}/${id}`, { name: 'Renamed' });
  await developer.patch(`${path}/${id}`, { subject: 'One' });
  await developer.post(`${path}/${id}/publish`);
  await developer.patch(`${path}/${id}`, { subject: 'Two', name: 'Again' });
  const kept = await versions(id);
  assert.deepEqual(
    kept.map(
      ({ version, subject, is_current, size_bytes, restored_from, actor_kind, actor_email }: never) => [
        version,
        subject,
        is_current,
        size_bytes,
        restored_from,
        actor_kind,
        actor_email,
      ],
    ),
    [
      [2, 'Two', true, 8, null, 'user', developer.login.email],
      [1, 'One', false, 8, null, 'user', developer.login.email],
    ],
  );
  assert.ok(kept[0].created_at > kept[1].created_at);
  const detail = await viewer.get(`${path}/${id}/versions/1`);
  assert.equal(detail.status, 200);
  const { subject, source, text, editor, is_current } = detail.json;
  assert.deepEqual([subject, source, text, editor, is_current], ['One', '<p>1</p>', null, 'html', false]);
});

test('a template without content has no version yet', async () => {
  assert.deepEqual(await versions(await create({})), []);
});

test('a template saved before versions were kept becomes the first version', async () => {
  const id = await create();
  await service.db.query('delete from template_versions where template_id = $1', [id]);
  await developer.patch(`${path}/${id}`, { source: '<p>2</p>' });
  const kept = await versions(id);
  assert.deepEqual(
    kept.map(({ version, actor_kind }: never) => [version, actor_kind]),
    [
      [2, 'user'],
      [1, 'system'],
    ],
  );
  assert.equal((await viewer.get(`${path}/${id}/versions/1`)).json.source, '<p>1</p>');
});

test('two versions are compared with both contents', async () => {
  const id = await create();
  await developer.patch(`${path}/${id}`, { source: '<p>2</p>', text: 'two' });
  await developer.patch(`${path}/${id}`, { subject: 'Three' });
  const compare = async (query: string) =>
    (await viewer.get(`${path}/${id}/versions/1/comparison${query}`)).json;
  const { from, to, changed } = await compare('?with=2');
  assert.deepEqual([from.version, to.version, changed], [1, 2, ['source', 'text']]);
  assert.deepEqual([from.source, to.source], ['<p>1</p>', '<p>2</p>']);
  const newest = await compare('');
  assert.deepEqual([newest.to.version, newest.changed], [3, ['subject', 'source', 'text']]);
  assert.equal((await compare('?with=9')).code, 'template_version_not_found');
});

test('restoring saves the content again and loses nothing', async () => {
  const id = await create();
  const mjml =
    '<mjml><mj-body><mj-section><mj-column><mj-text>M</mj-text></mj-column></mj-section></mj-body></mjml>';
  await developer.patch(`${path}/${id}`, { editor: 'mjml', source: mjml, text: 'two' });
  const restored = await developer.post(`${path}/${id}/versions/1/restore`);
  assert.equal(restored.status, 200, restored.text);
  assert.deepEqual(
    [restored.json.editor, restored.json.source, restored.json.html, restored.json.text],
    ['html', '<p>1</p>', '<p>1</p>', null],
  );
  const [newest] = await versions(id);
  assert.deepEqual([newest.version, newest.restored_from], [3, 1]);
  assert.match((await developer.post(`${path}/${id}/versions/2/restore`)).json.html, /<!doctype html>/i);
  const again = await developer.post(`${path}/${id}/versions/2/restore`);
  assert.deepEqual(
    [again.status, (await versions(id)).length],
    [200, 4],
    'what it says already is not saved',
  );
  const [event] = await service.db.query<{ details: object }>(
    `select details from audit_events where object_kind = 'mail_template' and object_id = $1 order by id desc limit 1`,
    [String(id)],
  );
  assert.deepEqual(event?.details, { changed: ['editor', 'source', 'text'], restored_from: 2 });
});

test('a published template is not restored to nothing', async () => {
  const id = await create({ subject: 'Only a subject' });
  await developer.patch(`${path}/${id}`, { source: '<p>1</p>' });
  await developer.post(`${path}/${id}/publish`);
  const refused = await developer.post(`${path}/${id}/versions/1/restore`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'template_content_required']);
});

test('the newest 50 versions are kept, and 20 MB of them', async () => {
  const id = await create();
  await service.db.query(
    `insert into template_versions (instance_id, template_id, version, editor, source, size_bytes, actor_kind)
     select $1, $2, n, 'html', 'x', 1, 'system' from generate_series(2, 60) n`,
    [tenant.instance.id, id],
  );
  await developer.patch(`${path}/${id}`, { subject: 'Next' });
  const { json } = await viewer.get(`${path}/${id}/versions?page_size=100`);
  assert.deepEqual([json.data.length, json.data[0].version, json.data.at(-1).version], [50, 61, 12]);
  await service.db.query('update template_versions set size_bytes = 9000000 where template_id = $1', [id]);
  await developer.patch(`${path}/${id}`, { subject: 'Once more' });
  assert.deepEqual(
    (await versions(id)).map(({ version }: { version: number }) => version),
    [62, 61, 60],
  );
});

test('versions go with their template, and belong to its instance', async () => {
  const id = await create();
  const other = await service.tenant();
  const stranger = await signIn(service, other, 'owner');
  for (const part of ['versions', 'versions/1', 'versions/1/comparison']) {
    assert.equal((await stranger.get(`${path}/${id}/${part}`)).json.code, 'mail_template_not_found');
  }
  assert.equal(
    (await stranger.post(`${path}/${id}/versions/1/restore`)).json.code,
    'mail_template_not_found',
  );
  assert.equal((await viewer.post(`${path}/${id}/versions/1/restore`)).status, 403);
  await developer.delete(`${path}/${id}`);
  assert.equal((await viewer.get(`${path}/${id}/versions/1`)).json.code, 'mail_template_not_found');
  const left = await service.db.query('select from template_versions where template_id = $1', [id]);
  assert.equal(left.length, 0);
});
