import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api } from '../../test/support/api.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import type { Tenant, TestService } from '../../test/support/test-service.ts';
import { whileLocked } from '../../test/support/while-locked.ts';
import { invitations, members, startTeamBed, type TeamBed } from './team-bed.fixture.ts';

let bed: TeamBed;
let service: TestService;
let tenant: Tenant;
let owner: PanelUser;
let admin: PanelUser;
let open: Api;
let newEmail: TeamBed['newEmail'];
let invite: TeamBed['invite'];
before(async () => {
  bed = await startTeamBed();
  ({ service, tenant, owner, admin, open, newEmail, invite } = bed);
});
after(async () => await bed.stop());

test('a role changes with the next request', async () => {
  const person = await signIn(service, tenant, 'developer');
  const path = `${members}/${person.id}`;
  const changed = await admin.patch(path, { role: 'viewer' });
  assert.deepEqual([changed.status, changed.json.role], [200, 'viewer']);
  assert.equal((await person.post('/v1/private/smtp-credentials', { name: 'x' })).status, 403);
  assert.equal((await admin.patch(path, { role: 'emperor' })).status, 422);
  assert.equal((await admin.delete(path)).status, 204);
  assert.equal((await person.get(members)).status, 403);
  for (const answer of [await admin.delete(path), await admin.patch(path, { role: 'viewer' })]) {
    assert.deepEqual([answer.status, answer.json.code], [404, 'member_not_found']);
  }
  const trail = await service.db.query(
    `select action, details from audit_events where object_kind = 'user' and object_id = $1 and instance_id = $2
       and action <> 'member.added' order by id`,
    [String(person.id), tenant.instance.id],
  );
  const { email } = person.login;
  assert.deepEqual(trail, [
    { action: 'member.role_changed', details: { email, from: 'developer', to: 'viewer' } },
    { action: 'member.removed', details: { email, role: 'viewer' } },
  ]);
});

test('only owners make, change and remove owners', async () => {
  const person = await signIn(service, tenant, 'viewer');
  for (const answer of [
    await admin.patch(`${members}/${person.id}`, { role: 'owner' }),
    await admin.patch(`${members}/${owner.id}`, { role: 'viewer' }),
    await admin.delete(`${members}/${owner.id}`),
    await admin.post(invitations, { email: newEmail(), role: 'owner' }),
  ]) {
    assert.deepEqual([answer.status, answer.json.code], [403, 'forbidden']);
  }
  assert.equal((await owner.patch(`${members}/${person.id}`, { role: 'owner' })).json.role, 'owner');
});

test('the last owner stays, also when two remove each other at once', async () => {
  const own = await service.tenant();
  const [one, two] = [await signIn(service, own, 'owner'), await signIn(service, own, 'owner')];
  const held = {
    lock: 'select from memberships where instance_id = $1 for update',
    values: [own.instance.id],
    waiting: 2,
  };
  const answers = await whileLocked(
    service.db,
    held,
    async () =>
      await Promise.all([
        one.delete(`${members}/${two.id}`),
        two.patch(`${members}/${one.id}`, { role: 'viewer' }),
      ]),
  );
  const statuses = answers.map(({ status }) => status);
  assert.ok(statuses.includes(200) || statuses.includes(204), statuses.join());
  const owners = await service.db.query<{ user_id: number }>(
    `select user_id from memberships where instance_id = $1 and role = 'owner'`,
    [own.instance.id],
  );
  assert.equal(owners.length, 1);
  const last = owners[0]?.user_id === one.id ? one : two;
  for (const answer of [
    await last.delete(`${members}/${last.id}`),
    await last.patch(`${members}/${last.id}`, { role: 'admin' }),
  ]) {
    assert.deepEqual([answer.status, answer.json.code], [409, 'member_is_last_owner']);
  }
});

test('a person in two instances is in each what they are there', async () => {
  const second = await service.tenant();
  const person = await signIn(service, tenant, 'admin');
  const { base_url, db } = service;
  await db.query(`insert into memberships (instance_id, user_id, role) values ($1, $2, 'owner')`, [
    second.instance.id,
    person.id,
  ]);
  const { slug } = second.instance;
  const there = { ...person, ...createApi({ base_url, api_key: person.access_token, slug }) };
  const refusals = await Promise.all([
    person.patch(`${members}/${admin.id}`, { role: 'owner' }),
    there.patch(`${members}/${person.id}`, { role: 'viewer' }),
    there.delete(`${members}/${person.id}`),
  ]);
  assert.deepEqual(
    refusals.map(({ json }) => json.code),
    ['forbidden', 'member_is_last_owner', 'member_is_last_owner'],
    'an owner of another instance is not an owner here, and does not count as another owner',
  );
  const email = newEmail();
  const { token } = await invite(email, { by: there });
  await invite(email);
  const path = `${members}/${person.id}`;
  assert.equal((await owner.patch(path, { role: 'viewer' })).json.role, 'viewer');
  assert.equal((await there.get(invitations)).json.data.length, 1);
  assert.equal((await owner.delete(path)).status, 204);
  const left = (await there.get(members)).json.data;
  assert.deepEqual(
    left.map(({ email: address, role }: Record<string, string>) => [address, role]),
    [[person.login.email, 'owner']],
  );
  assert.equal((await open.post('/v1/private/auth/invitation', { token })).json.instance.slug, slug);
});

test('everyone sees the team, admins change it', async () => {
  const developer = await signIn(service, tenant, 'developer');
  const viewer = await signIn(service, tenant, 'viewer');
  const { json } = await viewer.get(`${members}?page_size=100`);
  const me = json.data.find((each: { id: number }) => each.id === viewer.id);
  assert.deepEqual([me.email, me.role], [viewer.login.email, 'viewer']);
  const refused = await Promise.all([
    developer.get(invitations),
    developer.post(invitations, { email: newEmail(), role: 'viewer' }),
    developer.delete(`${invitations}/1`),
    developer.patch(`${members}/${viewer.id}`, { role: 'admin' }),
    developer.delete(`${members}/${viewer.id}`),
  ]);
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([403]));
});
