import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Api } from '../../test/support/api.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { renderer } from '../../test/support/template-renderer.ts';
import { compileValidator } from '../base/http/validation.ts';
import { createSharedBuckets } from '../limits/shared-buckets.ts';
import { templateWriteRoutes } from './template-write-routes.ts';

const path = '/v1/private/mail-templates';
const welcome = {
  name: 'Welcome',
  subject: 'Hi {{ recipient.name }}',
  source: '<p>Hi {{ recipient.name }}</p>',
  text: 'Hi {{ recipient.name }}',
};
const mjml = (body: string): string =>
  `<mjml><mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;

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

const create = async (template: object) => (await developer.post(path, template)).json;
const auditOf = async (id: number) =>
  await service.db.query(
    `select action, actor_kind, actor_id, host(address) as address, details from audit_events
     where instance_id = $1 and object_kind = 'mail_template' and object_id = $2 order by id`,
    [tenant.instance.id, String(id)],
  );

test('a created template is a draft, answered with 201 and where to find it', async () => {
  const created = await developer.post(path, welcome);
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('location'), `${path}/${created.json.id}`);
  const { id, created_at, updated_at, ...rest } = created.json;
  assert.deepEqual(rest, {
    external_id: null,
    alias: null,
    ...welcome,
    html: welcome.source,
    editor: 'html',
    is_published: false,
    published_at: null,
  });
  assert.deepEqual([typeof id, updated_at], ['number', created_at]);
  const found = await viewer.get(created.headers.get('location') ?? '');
  assert.deepEqual([found.status, found.json], [200, created.json]);
  assert.deepEqual((await tenant.api.get(`/v1/mail-templates/${id}`)).json, created.json);
});

test('a draft needs no more than a name', async () => {
  const created = await developer.post(path, { name: 'Empty' });
  assert.equal(created.status, 201);
  const { subject, html, text, source, editor } = created.json;
  assert.deepEqual([subject, html, text, source, editor], [null, null, null, null, 'html']);
});

test('MJML is kept as written and sent as HTML', async () => {
  const source = mjml('<mj-text>Hi {{ recipient.name }}</mj-text>');
  const created = await developer.post(path, { ...welcome, editor: 'mjml', source });
  assert.equal(created.status, 201);
  assert.equal(created.json.source, source);
  assert.match(created.json.html, /<!doctype html>[\s\S]*Hi \{\{ recipient\.name \}\}/i);
});

test('members left out of a change stay, null clears, and the HTML follows the source', async () => {
  const { id } = await create(welcome);
  const renamed = await developer.patch(`${path}/${id}`, { name: 'Renamed' });
  assert.equal(renamed.status, 200);
  assert.deepEqual(
    [renamed.json.name, renamed.json.subject, renamed.json.html],
    ['Renamed', welcome.subject, welcome.source],
  );
  const cleared = await developer.patch(`${path}/${id}`, { subject: null, source: null, text: null });
  const { subject, source, html, text } = cleared.json;
  assert.deepEqual([subject, source, html, text], [null, null, null, null]);
  const rewritten = await developer.patch(`${path}/${id}`, {
    editor: 'mjml',
    source: mjml('<mj-text>New</mj-text>'),
  });
  assert.match(rewritten.json.html, /New/);
  // The words of MJML as HTML are not what a recipient should see: they are read anew with the other editor.
  const plain = await developer.patch(`${path}/${id}`, { editor: 'html' });
  assert.equal(plain.json.html, plain.json.source);
  const back = await developer.patch(`${path}/${id}`, { source: '<p>no MJML</p>' });
  assert.equal(back.status, 200);
  assert.equal(
    (await developer.patch(`${path}/${id}`, { editor: 'mjml' })).json.errors[0].pointer,
    '/source',
  );
});

test('a change of nothing changes nothing', async () => {
  const template = await create(welcome);
  assert.deepEqual((await developer.patch(`${path}/${template.id}`, {})).json, template);
  assert.deepEqual((await developer.patch(`${path}/${template.id}`, welcome)).json, template);
  assert.equal((await auditOf(template.id)).length, 1);
});

test('publishing and taking back', async () => {
  const { id } = await create(welcome);
  const published = await developer.post(`${path}/${id}/publish`);
  assert.equal(published.status, 200);
  assert.equal(published.json.is_published, true);
  assert.match(published.json.published_at, /Z$/);
  assert.deepEqual((await developer.post(`${path}/${id}/publish`)).json, published.json, 'again is the same');
  const edited = await developer.patch(`${path}/${id}`, { subject: 'Changed' });
  assert.deepEqual([edited.json.is_published, edited.json.subject], [true, 'Changed']);
  const draft = await developer.post(`${path}/${id}/unpublish`);
  assert.deepEqual([draft.status, draft.json.is_published, draft.json.published_at], [200, false, null]);
  assert.deepEqual((await developer.post(`${path}/${id}/unpublish`)).json, draft.json);
});

for (const [title, lacking] of [
  ['a subject', { name: 'x', source: '<p>x</p>' }],
  ['content', { name: 'x', subject: 'x', text: 'only text' }],
  ['more than a blank subject', { name: 'x', subject: '  ', source: '<p>x</p>' }],
  ['more than blank content', { name: 'x', subject: 'x', source: ' \n ' }],
] as const) {
  test(`a template cannot be published without ${title}`, async () => {
    const { id } = await create(lacking);
    const refused = await developer.post(`${path}/${id}/publish`);
    assert.deepEqual([refused.status, refused.json.code], [409, 'template_content_required']);
    assert.equal((await developer.get(`${path}/${id}`)).json.is_published, false);
  });
}

test('a published template cannot lose its content, a draft can', async () => {
  const { id } = await create(welcome);
  await developer.post(`${path}/${id}/publish`);
  for (const changes of [{ subject: null }, { source: null }, { subject: ' ' }, { source: '\n' }]) {
    const refused = await developer.patch(`${path}/${id}`, changes);
    assert.deepEqual([refused.status, refused.json.code], [409, 'template_content_required']);
  }
  assert.equal((await developer.patch(`${path}/${id}`, { text: null })).status, 200);
  await developer.post(`${path}/${id}/unpublish`);
  assert.equal((await developer.patch(`${path}/${id}`, { subject: null })).status, 200);
});

test('a deleted template is gone', async () => {
  const { id } = await create(welcome);
  const deleted = await developer.delete(`${path}/${id}`);
  assert.deepEqual([deleted.status, deleted.text, deleted.headers.get('content-length')], [204, '', null]);
  for (const answer of [
    await developer.delete(`${path}/${id}`),
    await developer.get(`${path}/${id}`),
    await developer.patch(`${path}/${id}`, { name: 'x' }),
    await developer.post(`${path}/${id}/publish`),
    await developer.post(`${path}/${id}/unpublish`),
  ]) {
    assert.deepEqual([answer.status, answer.json.code], [404, 'mail_template_not_found']);
  }
});

test('each write is in the trail with who and from where, and content is not', async () => {
  const { id } = await create(welcome);
  await developer.patch(`${path}/${id}`, { name: 'Other', subject: 'Other' });
  await developer.post(`${path}/${id}/publish`);
  await developer.post(`${path}/${id}/unpublish`);
  await developer.delete(`${path}/${id}`);
  const who = { actor_kind: 'user', actor_id: String(developer.id), address: '127.0.0.1' };
  assert.deepEqual(await auditOf(id), [
    {
      ...who,
      action: 'mail_template.created',
      details: { name: 'Welcome', editor: 'html', external_id: null, alias: null },
    },
    { ...who, action: 'mail_template.updated', details: { changed: ['name', 'subject'] } },
    { ...who, action: 'mail_template.published', details: {} },
    { ...who, action: 'mail_template.unpublished', details: {} },
    { ...who, action: 'mail_template.deleted', details: { name: 'Other' } },
  ]);
});

test('viewers read, developers preview and write', async () => {
  const { id } = await create(welcome);
  assert.equal((await viewer.get(path)).status, 200);
  assert.equal((await viewer.get(`${path}/${id}`)).status, 200);
  const writes: Promise<{ status: number }>[] = [
    viewer.post(`${path}/preview`, { source: 'x' }),
    viewer.post(path, welcome),
    viewer.patch(`${path}/${id}`, { name: 'x' }),
    viewer.delete(`${path}/${id}`),
    viewer.post(`${path}/${id}/publish`),
    viewer.post(`${path}/${id}/unpublish`),
  ];
  assert.deepEqual(
    (await Promise.all(writes)).map(({ status }) => status),
    [403, 403, 403, 403, 403, 403],
  );
});

test('another instance has its own templates', async () => {
  const other = await service.tenant();
  const stranger = await signIn(service, other, 'owner');
  const { id } = await create(welcome);
  assert.deepEqual((await stranger.get(path)).json.data, []);
  const calls: ((api: Api) => Promise<{ status: number; json: { code: string } }>)[] = [
    async (api) => await api.get(`${path}/${id}`),
    async (api) => await api.patch(`${path}/${id}`, { name: 'x' }),
    async (api) => await api.delete(`${path}/${id}`),
    async (api) => await api.post(`${path}/${id}/publish`),
  ];
  for (const call of calls) {
    const { status, json } = await call(stranger);
    assert.deepEqual([status, json.code], [404, 'mail_template_not_found']);
  }
});

test('a preview is what a recipient would get, and nothing is saved', async () => {
  const before_ = (await developer.get(path)).json.pagination.total_items;
  const given = { email: 'eve@example.com', name: '<Eve>' };
  const { name: _name, ...content } = welcome;
  const shown = await developer.post(`${path}/preview`, { ...content, recipient: given });
  assert.equal(shown.status, 200);
  assert.deepEqual(shown.json, {
    subject: 'Hi <Eve>',
    html: '<p>Hi &lt;Eve&gt;</p>',
    text: 'Hi <Eve>',
  });
  const sample = await developer.post(`${path}/preview`, {
    editor: 'mjml',
    source: mjml('<mj-text>{{ recipient.name }} {{ recipient.email }} {{ unsubscribe_url }}</mj-text>'),
  });
  assert.match(sample.json.html, /Ana Rojas ana@example\.com https:\/\//);
  assert.deepEqual([sample.json.subject, sample.json.text], [null, null]);
  assert.equal((await developer.get(path)).json.pagination.total_items, before_);
});

test('a preview fills in variables, within the bounds that a send has', async () => {
  const content = { subject: '{{ a.b }}', source: '<p>{{ a.b }}{{ c }}</p>' };
  const shown = await developer.post(`${path}/preview`, {
    ...content,
    template_variables: { a: { b: '<1>' } },
  });
  assert.deepEqual(shown.json, { subject: '<1>', html: '<p>&lt;1&gt;</p>', text: null });
  for (const [template_variables, code] of [
    [{ a: 'x'.repeat(65_536) }, 'value_error.too_large'],
    [{ recipient: 1 }, 'value_error.reserved_variable'],
  ] as const) {
    const refused = await developer.post(`${path}/preview`, { ...content, template_variables });
    assert.deepEqual([refused.status, refused.json.errors[0].code], [422, code]);
  }
});

test('a person has so many previews a minute, in each instance', async (t) => {
  const { database } = service;
  const limited = await startTestService({ database, env: { CHASQUI_PREVIEWS_PER_MINUTE: '3' } });
  t.after(async () => await limited.stop());
  const [one, other] = [await limited.tenant(), await limited.tenant()];
  const [ana, eva] = [await signIn(limited, one, 'developer'), await signIn(limited, one, 'owner')];
  const preview = async (user: PanelUser) => await user.post(`${path}/preview`, { source: 'x' });
  for (let n = 0; n < 3; n += 1) assert.equal((await preview(ana)).status, 200);
  const refused = await preview(ana);
  assert.deepEqual([refused.status, refused.json.code], [429, 'rate_limit_exceeded']);
  assert.match(refused.headers.get('retry-after') ?? '', /^([1-9]|1\d|20)$/);
  assert.equal((await ana.post(`${path}/analysis`, { source: 'x' })).status, 429, 'which is one too');
  assert.equal((await preview(eva)).status, 200);
  assert.equal((await preview(await signIn(limited, other, 'developer'))).status, 200);
});

test('every operation has an example that is what it promises', () => {
  const buckets = createSharedBuckets(service.db);
  const context = { db: service.db, renderer, buckets, previews_per_minute: 0 };
  for (const { id, success, body, body_example } of templateWriteRoutes(context)) {
    if (success.schema) assert.deepEqual(compileValidator(success.schema)(success.example), [], id);
    if (body) assert.deepEqual(compileValidator(body)(body_example), [], id);
  }
});
