import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { renderer } from '../../test/support/template-renderer.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { Database } from '../base/db/database.ts';
import type { NewMailTemplate } from './template-schemas.ts';
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  publishTemplate,
  unpublishTemplate,
  updateTemplate,
} from './templates.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

const actor = { kind: 'operator' } as const;
const content = { subject: 'Hi {{ recipient.name }}', source: '<p>Hi</p>', text: 'Hi' };
const create = async ({ instance }: Tenant, template: NewMailTemplate) =>
  await createTemplate(service.db, instance.id, { template, actor, renderer });
const namesOf = ({ json }: { json: { data: { name: string }[] } }) => json.data.map(({ name }) => name);

test('a template is listed without its content and read with it', async () => {
  const own = await service.tenant();
  const { id } = await create(own, { name: 'Welcome', ...content });
  const list = await own.api.get('/v1/mail-templates');
  assert.equal(list.status, 200);
  const [item] = list.json.data;
  assert.deepEqual(item, {
    id,
    external_id: null,
    alias: null,
    name: 'Welcome',
    subject: content.subject,
    is_published: false,
    published_at: null,
    created_at: item.created_at,
    updated_at: item.created_at,
  });
  assert.match(item.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const detail = await own.api.get(`/v1/mail-templates/${id}`);
  assert.equal(detail.status, 200);
  assert.deepEqual(detail.json, {
    ...item,
    html: '<p>Hi</p>',
    text: 'Hi',
    editor: 'html',
    source: '<p>Hi</p>',
  });
});

test('an instance begins without templates', async () => {
  const own = await service.tenant();
  const { json } = await own.api.get('/v1/mail-templates');
  assert.deepEqual(json, {
    data: [],
    pagination: { page: 1, page_size: 20, has_more: false, total_items: 0, total_pages: 0 },
  });
});

test('the name filter finds parts in either case and takes % and _ for themselves', async () => {
  const own = await service.tenant();
  for (const name of ['Welcome', 'Welcome back', '100% off', 'snake_case', 'Ñandú'])
    await create(own, { name });
  const search = async (name: string) =>
    namesOf(await own.api.get(`/v1/mail-templates?name=${encodeURIComponent(name)}`));
  assert.deepEqual(await search('WELCOME'), ['Welcome', 'Welcome back']);
  assert.deepEqual(await search('%'), ['100% off']);
  assert.deepEqual(await search('_'), ['snake_case']);
  assert.deepEqual(await search('e_b'), []);
  assert.deepEqual(await search('ñan'), ['Ñandú']);
  assert.deepEqual(await search('\\'), []);
});

test('is_published tells published ones from drafts, together with the name', async () => {
  const own = await service.tenant();
  const [first] = [
    await create(own, { name: 'A1', ...content }),
    await create(own, { name: 'A2', ...content }),
  ];
  await publishTemplate(service.db, own.instance.id, { id: first.id, actor });
  assert.deepEqual(namesOf(await own.api.get('/v1/mail-templates?is_published=true')), ['A1']);
  assert.deepEqual(namesOf(await own.api.get('/v1/mail-templates?is_published=false')), ['A2']);
  assert.deepEqual(namesOf(await own.api.get('/v1/mail-templates?is_published=false&name=a1')), []);
  const refused = await own.api.get('/v1/mail-templates?is_published=maybe&page=0');
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(), [
    '/is_published',
    '/page',
  ]);
});

test('pages follow each other in the order of creation, also after changes', async () => {
  const own = await service.tenant();
  const created = [];
  for (let n = 0; n < 5; n += 1) created.push(await create(own, { name: `T${n}` }));
  const [first] = created;
  await updateTemplate(service.db, own.instance.id, {
    id: first?.id ?? 0,
    changes: { name: 'T0b' },
    actor,
    renderer,
  });
  const names: string[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const answer = await own.api.get(`/v1/mail-templates?page=${page}&page_size=2`);
    names.push(...namesOf(answer));
    more = answer.json.pagination.has_more;
    assert.equal(answer.json.pagination.total_items, 5);
  }
  assert.deepEqual(names, ['T0b', 'T1', 'T2', 'T3', 'T4']);
});

test("a template that does not exist, was deleted or is another instance's is not found", async () => {
  const other = await service.tenant();
  const theirs = await create(other, { name: 'Theirs' });
  const gone = await create(tenant, { name: 'Gone' });
  await deleteTemplate(service.db, tenant.instance.id, { id: gone.id, actor });
  for (const id of [theirs.id, gone.id, 999_999, Number.MAX_SAFE_INTEGER]) {
    const { status, json } = await tenant.api.get(`/v1/mail-templates/${id}`);
    assert.deepEqual([status, json.code], [404, 'mail_template_not_found']);
  }
  assert.equal((await tenant.api.get('/v1/mail-templates/first')).status, 422);
  assert.ok(!namesOf(await tenant.api.get('/v1/mail-templates')).includes('Gone'));
});

test('changing, publishing and deleting stop at the border of the instance', async () => {
  const other = await service.tenant();
  const { id } = await create(other, { name: 'Theirs', ...content });
  const missing = { code: 'mail_template_not_found' };
  const own = tenant.instance.id;
  await assert.rejects(
    updateTemplate(service.db, own, { id, changes: { name: 'Mine' }, actor, renderer }),
    missing,
  );
  await assert.rejects(publishTemplate(service.db, own, { id, actor }), missing);
  await assert.rejects(unpublishTemplate(service.db, own, { id, actor }), missing);
  await assert.rejects(deleteTemplate(service.db, own, { id, actor }), missing);
  const { json } = await other.api.get(`/v1/mail-templates/${id}`);
  assert.deepEqual([json.name, json.is_published], ['Theirs', false]);
});

test('a key without the scope is refused', async () => {
  const blind = await service.tenant({ scopes: ['mail:send'] });
  assert.equal((await blind.api.get('/v1/mail-templates')).status, 403);
  assert.equal((await blind.api.get('/v1/mail-templates/1')).status, 403);
  const reader = await service.tenant({ scopes: ['template:read'] });
  assert.equal((await reader.api.post('/v1/mail-templates', { name: 'x' })).status, 403);
  assert.equal((await tenant.api.post('/v1/private/mail-templates', { name: 'x' })).status, 401);
});

test('changes at the same time do not undo each other', async () => {
  const { id } = await create(tenant, { name: 'Race', ...content });
  const change = async (changes: object) =>
    await updateTemplate(service.db, tenant.instance.id, { id, changes, actor, renderer });
  await Promise.all([
    change({ name: 'Renamed' }),
    change({ subject: 'New subject' }),
    change({ source: '<p>New</p>' }),
    publishTemplate(service.db, tenant.instance.id, { id, actor }),
  ]);
  const { json } = await tenant.api.get(`/v1/mail-templates/${id}`);
  assert.deepEqual(
    [json.name, json.subject, json.html, json.is_published],
    ['Renamed', 'New subject', '<p>New</p>', true],
  );
});

test('publishing and emptying at the same time never leaves a published template without content', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await create(tenant, { name: 'Race', ...content });
    await Promise.allSettled([
      updateTemplate(service.db, tenant.instance.id, { id, changes: { subject: null }, actor, renderer }),
      publishTemplate(service.db, tenant.instance.id, { id, actor }),
    ]);
    const { json } = await tenant.api.get(`/v1/mail-templates/${id}`);
    assert.ok(!json.is_published || json.subject !== null);
  }
});

test('every change has a later updated_at, and a change to the same has none', async () => {
  const { id, updated_at } = await create(tenant, { name: 'Clock', ...content });
  let last = updated_at;
  for (let n = 0; n < 10; n += 1) {
    const changes = { name: `Clock ${n}` };
    const changed = await updateTemplate(service.db, tenant.instance.id, { id, changes, actor, renderer });
    assert.ok(changed.updated_at > last);
    last = changed.updated_at;
  }
  const same = await updateTemplate(service.db, tenant.instance.id, {
    id,
    changes: { name: 'Clock 9' },
    actor,
    renderer,
  });
  assert.deepEqual(same.updated_at, last);
});

test('a list costs one round trip to the database', async () => {
  const { connection } = service.database;
  const db = new Database({ connection, pool_size: 2, pipelines: 0, on_error: () => undefined });
  const sent = db.round_trips;
  await listTemplates(db, tenant.instance.id, { name: 'x', is_published: true });
  assert.equal(db.round_trips - sent, 1);
  await db.end();
});

test('a template that loses its content while it is published is not published', async () => {
  const { id } = await create(tenant, { name: 'Emptied', ...content });
  let publishing: Promise<unknown> | undefined;
  await service.db.transaction(async (tx) => {
    await tx.query('update mail_templates set subject = null where id = $1', [id]);
    publishing = assert.rejects(publishTemplate(service.db, tenant.instance.id, { id, actor }), {
      code: 'template_content_required',
    });
    await waitForLocks(service.db);
  });
  await publishing;
});

test('a template that is changed after the clock was set back is newer all the same', async () => {
  const { id } = await create(tenant, { name: 'Later', ...content });
  const [before_] = await service.db.query<{ updated_at: Date }>(
    `update mail_templates set updated_at = date_trunc('milliseconds', now()) + interval '1 hour' where id = $1
     returning updated_at`,
    [id],
  );
  const changes = { name: 'Now' };
  const { updated_at } = await updateTemplate(service.db, tenant.instance.id, {
    id,
    changes,
    actor,
    renderer,
  });
  assert.ok(before_ && updated_at > before_.updated_at);
});

test('an alias names one template of the instance, until that is deleted', async () => {
  const own = await service.tenant({ scopes: ['template:read', 'template:write'] });
  const path = '/v1/mail-templates';
  const first = await own.api.post(path, { name: 'First', alias: 'welcome', ...content });
  assert.deepEqual([first.status, first.json.alias], [201, 'welcome']);
  const second = await own.api.post(path, { name: 'Second', ...content });
  const other = await service.tenant({ scopes: ['template:write'] });
  assert.equal((await other.api.post(path, { name: 'Of another', alias: 'welcome' })).status, 201);

  const taken = [
    await own.api.post(path, { name: 'Third', alias: 'welcome' }),
    await own.api.patch(`${path}/${second.json.id}`, { alias: 'welcome' }),
    await own.api.request('PUT', `${path}/${second.json.id}`, { body: { ...second.json, alias: 'welcome' } }),
  ];
  for (const { status, json } of taken) {
    assert.deepEqual([status, json.code], [409, 'template_alias_already_exists']);
  }
  const found = await own.api.get(`${path}?alias=welcome`);
  assert.deepEqual(namesOf(found), ['First']);

  const kept = await own.api.patch(`${path}/${first.json.id}`, { name: 'Renamed' });
  assert.equal(kept.json.alias, 'welcome');
  const { alias: _, ...rest } = kept.json;
  assert.equal(
    (await own.api.request('PUT', `${path}/${first.json.id}`, { body: rest })).json.alias,
    null,
    'as in a creation',
  );
  assert.equal((await own.api.patch(`${path}/${second.json.id}`, { alias: 'welcome' })).status, 200);
  assert.equal((await own.api.delete(`${path}/${second.json.id}`)).status, 204);
  assert.equal((await own.api.patch(`${path}/${first.json.id}`, { alias: 'welcome' })).status, 200);
});

test('an alias begins with a letter and has letters, digits, dots, underscores and hyphens', async () => {
  const own = await service.tenant({ scopes: ['template:write'] });
  for (const alias of ['a', 'Order.Paid_v2-es', 'x'.repeat(64)]) {
    assert.equal((await own.api.post('/v1/mail-templates', { name: 'T', alias })).status, 201, alias);
  }
  for (const alias of ['', '7', '1st', '-a', 'a b', 'ñandú', 'a/b', 'a\n', 'x'.repeat(65), 12]) {
    const { status } = await own.api.post('/v1/mail-templates', { name: 'T', alias });
    assert.equal(status, 422, String(alias));
  }
});
