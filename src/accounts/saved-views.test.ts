import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { maxViews } from './saved-view-schemas.ts';

const path = '/v1/private/saved-views';
const bounced = { list: 'mails', name: 'Bounced', search: { status: '6', range: '7d' } };
let service: TestService;
let tenant: Tenant;
let viewer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

const namesOf = async (user: PanelUser, list = 'mails'): Promise<string[]> =>
  ((await user.get(`${path}?list=${list}`)).json.data as { name: string }[]).map(({ name }) => name);

test('a person keeps filters under a name, replaces and deletes them', async () => {
  const first = await viewer.post(path, bounced);
  assert.equal(first.status, 200, first.text);
  await viewer.post(path, { ...bounced, name: ' Alive ', search: { status: '3' } });
  const again = await viewer.post(path, { ...bounced, search: { status: '4,6' } });
  assert.equal(again.json.id, first.json.id);
  assert.deepEqual(await namesOf(viewer), ['Alive', 'Bounced']);
  assert.deepEqual(await namesOf(viewer, 'restrictions'), []);
  const { json } = await viewer.get(`${path}?list=mails`);
  assert.deepEqual(json.data[1].search, { status: '4,6' });
  assert.equal((await viewer.delete(`${path}/${first.json.id}`)).status, 204);
  assert.equal((await viewer.delete(`${path}/${first.json.id}`)).json.code, 'saved_view_not_found');
  assert.deepEqual(await namesOf(viewer), ['Alive']);
});

test('views are those of one person in one instance, and go with the membership', async () => {
  const owner = await signIn(service, tenant, 'owner');
  const member = await signIn(service, tenant, 'developer');
  const { json } = await member.post(path, bounced);
  assert.deepEqual(await namesOf(owner), []);
  assert.equal((await owner.delete(`${path}/${json.id}`)).json.code, 'saved_view_not_found');
  assert.equal((await owner.delete(`/v1/private/team/members/${member.id}`)).status, 204);
  const left = await service.db.query('select from saved_views where user_id = $1', [member.id]);
  assert.equal(left.length, 0);
});

test('filters that name a person or one mail are refused, and so are names and values without end', async () => {
  for (const search of [
    { recipient: 'ana' },
    { contact: '+56912345678' },
    { mail_id: '019a4e5e' },
    { tag: 'customer:ana@example.com' },
    { status: 'x'.repeat(201) },
    { 'Not A Name': '1' },
    Object.fromEntries(Array.from({ length: 31 }, (_each, index) => [`f${'x'.repeat(index)}`, '1'])),
  ]) {
    const { status } = await viewer.post(path, { ...bounced, name: 'Refused', search });
    assert.equal(status, 422, JSON.stringify(search));
  }
  assert.equal((await viewer.post(path, { ...bounced, name: ' ' })).status, 422);
  assert.equal((await viewer.post(path, { ...bounced, list: '../x' })).status, 422);
  assert.ok(!(await namesOf(viewer)).includes('Refused'));
});

test('a person keeps a bounded number of views', async () => {
  const user = await signIn(service, tenant, 'viewer');
  await service.db.query(
    `insert into saved_views (instance_id, user_id, list, name, search, created_at)
     select $1, $2, 'mails', n::text, '{}', now() from generate_series(1, $3) n`,
    [tenant.instance.id, user.id, maxViews],
  );
  const one = await user.post(path, { ...bounced, name: 'One more' });
  assert.deepEqual([one.status, one.json.code], [409, 'saved_view_limit_reached']);
  assert.equal((await user.post(path, { ...bounced, name: '7' })).status, 200, 'replaces one');
});
