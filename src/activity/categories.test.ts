import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { writeCategory, writeEvent, writeMail } from './activity-data.fixture.ts';
import { foldStats } from './fold-stats.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

async function send(more: Record<string, unknown>, owner = tenant): Promise<void> {
  const { status, text } = await owner.api.post('/v1/mails/send', {
    sender_email: `test@${owner.instance.slug}.sandbox.test`,
    to: [{ email: 'ana@sandbox.test' }],
    subject: 'x',
    html: '<p>x</p>',
    ...more,
  });
  assert.equal(status, 200, text);
}

const categories = async (query = '', owner = tenant): Promise<Record<string, unknown>[]> =>
  (await owner.api.get(`/v1/categories?${query}`)).json.data;
const names = async (query: string): Promise<unknown[]> =>
  (await categories(query)).map(({ category }) => category);

test('the categories that sends gave are listed by name, with their first and last use', async () => {
  await send({ category: 'Spring News' });
  await send({ category: 'Órdenes' });
  await send({ category: 'ordenes' });
  const today = new Date().toISOString().slice(0, 10);
  for (const isFolded of [false, true]) {
    if (isFolded) while ((await foldStats(service.db)) > 0);
    const [first, second, ...more] = await categories();
    assert.deepEqual(more, []);
    assert.deepEqual([first?.['category'], second?.['category']], ['ordenes', 'spring-news']);
    assert.equal(first?.['last_used_on'], today);
    assert.ok(String(first?.['first_used_at']).startsWith(today));
    assert.equal(typeof first?.['id'], 'number');
  }
  assert.deepEqual(await categories('', await service.tenant()), []);
});

test('one that was not used for longer than statistics are kept has no last use', async () => {
  const owner = await service.tenant();
  await writeCategory(service, owner, 'old');
  assert.deepEqual(
    (await categories('', owner)).map(({ category, last_used_on }) => [category, last_used_on]),
    [['old', null]],
  );
});

test('categories are found by a part of the name, page by page', async () => {
  assert.deepEqual(await names('name=NEWS'), ['spring-news']);
  assert.deepEqual(await names('name=%25'), []);
  assert.deepEqual(await names('page_size=1&page=2'), ['spring-news']);
  const { json } = await tenant.api.get('/v1/categories?page_size=1');
  assert.deepEqual([json.pagination.has_more, json.pagination.total_items], [true, 2]);
});

test('the panel reads them too, and a key needs mail:read', async () => {
  const viewer = await signIn(service, tenant, 'viewer');
  const { json } = await viewer.get('/v1/private/categories');
  assert.deepEqual(
    json.data.map(({ category }: { category: string }) => category),
    ['ordenes', 'spring-news'],
  );
  const other = await service.tenant({ scopes: ['mail:send'] });
  assert.equal((await other.api.get('/v1/categories')).status, 403);
});

test('every list, record and export shows category and test mode, and is filtered by them', async () => {
  const owner = await service.tenant();
  const category_id = await writeCategory(service, owner, 'orders');
  const at = new Date(Date.now() - 60_000);
  const marked = await writeMail(service, owner, { at, category_id, test_mode: true, status: 6 });
  const plain = await writeMail(service, owner, { at, status: 6 });
  for (const { mail_id } of [marked, plain]) {
    for (const event of ['opened', 'clicked', 'bounced'] as const) {
      await writeEvent(service, owner, { mail_id, at: new Date(), event, data: { type: 'hard' } });
    }
  }
  const grouped = ['opens', 'clicks'].flatMap((list) =>
    ['mail_id', 'msg_id'].map((by) => `/v1/activities/${list}{}?group_by=${by}`),
  );
  const lists = ['sent', 'opens', 'clicks', 'bounced'].map((list) => `/v1/activities/${list}{}?`);
  const paths = [
    '/v1/mails?',
    ...[...lists, ...grouped].flatMap((path) => [
      path.replace('{}', ''),
      `${path.replace('{}', '/export')}&format=json`,
    ]),
  ];
  assert.equal(paths.length, 17);
  const marksOf = async (path: string): Promise<string[]> => {
    const { status, json, text } = await owner.api.get(path);
    assert.equal(status, 200, text);
    return json.data
      .map((row: Record<string, unknown>) => `${String(row['category'])} ${String(row['test_mode'])}`)
      .toSorted();
  };
  for (const path of paths) {
    assert.deepEqual(await marksOf(path), ['null false', 'orders true'], path);
    assert.deepEqual(await marksOf(`${path}&category=Orders`), ['orders true'], path);
    assert.deepEqual(await marksOf(`${path}&category=none`), [], path);
    assert.deepEqual(await marksOf(`${path}&test_mode=true`), ['orders true'], path);
    assert.deepEqual(await marksOf(`${path}&test_mode=false`), ['null false'], path);
    assert.deepEqual(await marksOf(`${path}&test_mode=false&category=orders`), [], path);
  }
  for (const status of [6, 3]) {
    const expected = status === 6 ? ['orders true'] : [];
    assert.deepEqual(await marksOf(`/v1/mails?test_mode=true&status=${status}`), expected);
  }
  const { json } = await owner.api.get(`/v1/mails/${marked.mail_id}`);
  assert.deepEqual([json.category, json.test_mode], ['orders', true]);
  const csv = (await owner.api.get('/v1/activities/sent/export?test_mode=true')).text;
  assert.match(csv, /,"category","test_mode","tags","status_name"\r\n.*,"orders",true,"{}","bounced"\r\n$/);
});
