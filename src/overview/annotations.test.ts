import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { maxAnnotations } from './annotation-schemas.ts';

const path = '/v1/annotations';
let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

const dayMs = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

test('a moment is marked with its text, listed newest first by range, and deleted', async () => {
  const { api } = await service.tenant();
  const old = await api.post(path, { text: ' Campaign ', at: daysAgo(40) });
  assert.equal(old.status, 201, old.text);
  assert.equal(old.json.text, 'Campaign');
  const now = await api.post(path, { text: 'Deploy 1' });
  assert.ok(Math.abs(Date.parse(now.json.at) - Date.now()) < 10 * 60_000);
  const textsOf = async (query = ''): Promise<string[]> =>
    ((await api.get(`${path}${query}`)).json.data as { text: string }[]).map(({ text }) => text);
  assert.deepEqual(await textsOf(), ['Deploy 1', 'Campaign']);
  assert.deepEqual(await textsOf(`?start_date=${daysAgo(10).slice(0, 10)}`), ['Deploy 1']);
  assert.equal((await api.delete(`${path}/${old.json.id}`)).status, 204);
  assert.deepEqual(await textsOf(), ['Deploy 1']);
  const again = await api.delete(`${path}/${old.json.id}`);
  assert.deepEqual([again.status, again.json.code], [404, 'annotation_not_found']);
});

test('empty and long texts, and times more than a year away, are refused', async () => {
  const { api } = await service.tenant();
  for (const body of [
    { text: '   ' },
    { text: 'x'.repeat(201) },
    { text: 'Deploy', at: daysAgo(400) },
    { text: 'Deploy', at: daysAgo(-400) },
    { text: 'Deploy', at: 'yesterday' },
  ]) {
    assert.equal((await api.post(path, body)).status, 422, JSON.stringify(body));
  }
  assert.equal((await api.get(path)).json.pagination.total_items, 0);
});

test('an instance keeps its newest annotations, and no other loses any', async () => {
  const [first, second] = [await service.tenant(), await service.tenant()];
  await second.api.post(path, { text: 'Theirs', at: daysAgo(300) });
  await service.db.query(
    `insert into annotations (instance_id, text, at, created_at)
     select $1, n::text, now() - n * interval '1 minute', now() from generate_series(1, $2) n`,
    [first.instance.id, maxAnnotations],
  );
  await first.api.post(path, { text: 'Newest' });
  const rows = await service.db.query<{ text: string }>(
    'select text from annotations where instance_id = $1 order by at desc',
    [first.instance.id],
  );
  assert.equal(rows.length, maxAnnotations);
  assert.equal(rows[0]?.text, 'Newest');
  assert.equal(rows.at(-1)?.text, String(maxAnnotations - 1));
  assert.equal((await second.api.get(`${path}?start_date=${daysAgo(310).slice(0, 10)}`)).json.data.length, 1);
});

test('a key needs annotations:write, a person the role developer; both leave a line in the audit log', async () => {
  const tenant = await service.tenant({ scopes: ['mail:read'] });
  assert.equal((await tenant.api.post(path, { text: 'Deploy' })).status, 403);
  const viewer = await signIn(service, tenant, 'viewer');
  assert.equal((await viewer.post('/v1/private/annotations', { text: 'Deploy' })).status, 403);
  const developer = await signIn(service, tenant, 'developer');
  const { json } = await developer.post('/v1/private/annotations', { text: 'Deploy' });
  assert.equal((await viewer.get('/v1/private/annotations')).json.data[0].id, json.id);
  assert.equal((await developer.delete(`/v1/private/annotations/${json.id}`)).status, 204);
  const lines = await service.db.query<{ action: string }>(
    `select action from audit_events where instance_id = $1 and object_kind = 'annotation' order by id`,
    [tenant.instance.id],
  );
  assert.deepEqual(
    lines.map(({ action }) => action),
    ['annotation.created', 'annotation.deleted'],
  );
});
