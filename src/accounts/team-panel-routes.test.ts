import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api } from '../../test/support/api.ts';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { whileLocked } from '../../test/support/while-locked.ts';
import { createMember } from './users.ts';
import { startRemoteMx, type RemoteMx } from '../../test/support/remote-mx.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const members = '/v1/private/team/members';
const invitations = '/v1/private/team/invitations';
const password = 'a long password';
const clock = createMovableClock('2026-11-01T12:00:00Z');
let service: TestService;
let dns: DnsServer;
let mx: RemoteMx;
let tenant: Tenant;
let owner: PanelUser;
let admin: PanelUser;
let open: Api;
before(async () => {
  dns = await startDnsServer({});
  mx = await startRemoteMx({});
  dns.set('people.test', 'MX', ['10 mx.people.test']);
  dns.set('mx.people.test', 'A', ['127.0.0.1']);
  service = await startTestService({
    roles: 'api,delivery',
    clock,
    env: {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(mx.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
    },
  });
  tenant = await service.tenant();
  owner = await signIn(service, tenant, 'owner');
  admin = await signIn(service, tenant, 'admin');
  open = createApi({ base_url: service.base_url });
});
after(async () => {
  await service.stop();
  await mx.stop();
  await dns.stop();
});

let people = 0;
const newEmail = (): string => `person-${(people += 1)}@people.test`;

/** Invites, and reads the token out of the mail that arrives. */
async function invite(
  email: string,
  { role = 'developer', by = admin, recipient = email.toLowerCase() } = {},
): Promise<{ id: number; token: string }> {
  const before_ = mx.messages.length;
  const answer = await by.post(invitations, { email, role });
  assert.equal(answer.status, 201, answer.text);
  const messages = await mx.waitForMessages(before_ + 1);
  const message = messages[before_];
  assert.deepEqual(message?.rcpt_to, [recipient]);
  const text = message?.data.toString().replaceAll('=\r\n', '') ?? '';
  const [, token = ''] = /accept-invitation#([\w-]{43})/.exec(text) ?? [];
  assert.ok(token, text);
  return { id: answer.json.id, token };
}

const accept = async (body: object) => await open.post('/v1/private/auth/invitation/accept', body);
const roleOf = async (email: string): Promise<string | undefined> =>
  (await owner.get(`${members}?page_size=100`)).json.data.find(
    (each: { email: string }) => each.email === email,
  )?.role;

test('a person signs in with any spelling of the domain that they were invited at', async () => {
  dns.set('xn--diseo-rta.test', 'MX', ['10 mx.people.test']);
  const typed = 'Ana@diseño.test';
  const canonical = 'ana@xn--diseo-rta.test';
  const { token } = await invite(typed, { recipient: canonical });
  assert.equal((await accept({ token, password })).status, 200);
  const login = async (email: string): Promise<number> =>
    (await open.post('/v1/private/auth/login', { email, password })).status;
  for (const email of [typed, canonical, 'ana@DISEÑO.test']) assert.equal(await login(email), 200, email);
  assert.equal((await admin.post(invitations, { email: typed, role: 'viewer' })).status, 409);

  const before_ = mx.messages.length;
  await open.post('/v1/private/auth/forgotten-password', { email: typed });
  const messages = await mx.waitForMessages(before_ + 1);
  assert.deepEqual(messages[before_]?.rcpt_to, [canonical]);
});

test('an account that the command line stored with the domain as it was typed is still found', async () => {
  const stored = 'eva@señal.test';
  const user = { email: 'eva@senal.test', password, role: 'viewer' };
  const { id } = await createMember(service.db, tenant.instance.id, { user, actor: { kind: 'operator' } });
  await service.db.query('update users set email = $2 where id = $1', [id, stored]);
  for (const email of [stored, 'eva@xn--seal-hqa.test']) {
    const { status, json } = await open.post('/v1/private/auth/login', { email, password });
    assert.deepEqual([status, json.user.id], [200, id], email);
  }
});

test('a person is invited by mail, makes an account, and is a member', async () => {
  const email = newEmail();
  const { token } = await invite(email.toUpperCase().replace('PEOPLE.TEST', 'people.test'));
  const { json: listed, text } = await admin.get(invitations);
  assert.deepEqual([listed.data[0].email, listed.data[0].role], [email, 'developer']);
  assert.ok(!text.includes(token), 'the token is in the mail alone');
  const seen = await open.post('/v1/private/auth/invitation', { token });
  assert.deepEqual(seen.json, {
    email,
    role: 'developer',
    instance: { slug: tenant.instance.slug, name: tenant.instance.name },
    has_account: false,
  });
  const bare = await accept({ token });
  assert.deepEqual([bare.status, bare.json.errors[0].pointer], [422, '/password']);
  const accepted = await accept({ token, name: ' Ana ', password });
  assert.deepEqual([accepted.status, accepted.json], [200, seen.json]);
  const session = await open.post('/v1/private/auth/login', { email, password });
  assert.deepEqual(
    [session.status, session.json.user.name, session.json.instances[0].role],
    [200, 'Ana', 'developer'],
  );
  assert.equal((await accept({ token, password })).json.code, 'invitation_not_found', 'a token is good once');
  const again = await open.post('/v1/private/auth/invitation', { token });
  assert.equal(again.json.code, 'invitation_not_found', 'nor is it shown again');
  assert.deepEqual((await admin.get(invitations)).json.data, []);
});

test('an invited user joins with their account and keeps its password', async () => {
  const other = await service.tenant();
  const stranger = await signIn(service, other, 'viewer');
  const { email } = stranger.login;
  dns.set(email.slice(email.indexOf('@') + 1), 'MX', ['10 mx.people.test']);
  const { token } = await invite(email, { role: 'viewer' });
  assert.equal((await open.post('/v1/private/auth/invitation', { token })).json.has_account, true);
  assert.equal((await accept({ token, password: 'another password' })).status, 200);
  assert.equal(await roleOf(email), 'viewer');
  assert.equal((await open.post('/v1/private/auth/login', stranger.login)).status, 200);
});

test('a member is not invited again', async () => {
  const { status, json } = await admin.post(invitations, { email: owner.login.email, role: 'viewer' });
  assert.deepEqual([status, json.code], [409, 'user_already_member']);
});

test('an invitation stops working when it is taken back, replaced or over', async () => {
  const email = newEmail();
  const first = await invite(email);
  const second = await invite(email);
  const third = await invite(newEmail());
  const gone = async (token: string): Promise<void> => {
    for (const answer of [
      await open.post('/v1/private/auth/invitation', { token }),
      await accept({ token, password }),
    ]) {
      assert.deepEqual([answer.status, answer.json.code], [404, 'invitation_not_found']);
    }
  };
  await gone(first.token);
  assert.equal((await admin.delete(`${invitations}/${second.id}`)).status, 204);
  assert.equal((await admin.delete(`${invitations}/${second.id}`)).json.code, 'invitation_not_found');
  await gone(second.token);
  await gone('made up');
  clock.advance(7 * 24 * 3_600_000);
  await gone(third.token);
  admin = await signIn(service, tenant, 'admin');
  owner = await signIn(service, tenant, 'owner');
  assert.deepEqual((await admin.get(invitations)).json.data, []);
});

test('removing a member removes the invitations from and to them', async () => {
  const [left, kept] = [await signIn(service, tenant, 'admin'), newEmail()];
  const sent = await invite(newEmail(), { by: left });
  const other = await invite(kept);
  const back = await invite(newEmail());
  const email = left.login.email.toLowerCase();
  await service.db.query('update invitations set email = $2 where id = $1', [back.id, email]);
  assert.equal((await owner.delete(`${members}/${left.id}`)).status, 204);
  for (const { token } of [sent, back]) {
    assert.equal((await accept({ token, password })).json.code, 'invitation_not_found');
  }
  const revoked = await service.db.query(
    "select object_id from audit_events where action = 'invitation.revoked' and object_id = any ($1) order by object_id::int",
    [[sent, back, other].map(({ id }) => String(id))],
  );
  assert.deepEqual(revoked, [{ object_id: String(sent.id) }, { object_id: String(back.id) }]);
  assert.equal((await accept({ token: other.token, password })).status, 200);
});

const gone = async (token: string): Promise<void> => {
  for (const answer of [
    await open.post('/v1/private/auth/invitation', { token }),
    await accept({ token, password }),
  ]) {
    assert.deepEqual([answer.status, answer.json.code], [404, 'invitation_not_found']);
  }
};

test('a demotion revokes the invitations that the person may no longer send', async () => {
  const demoted = await signIn(service, tenant, 'admin');
  const [back, friend] = [
    await invite(newEmail(), { by: demoted, role: 'admin' }),
    await invite(newEmail(), { by: demoted, role: 'viewer' }),
  ];
  const other = await invite(newEmail(), { role: 'admin' });
  assert.equal((await owner.patch(`${members}/${demoted.id}`, { role: 'viewer' })).status, 200);
  await gone(back.token);
  await gone(friend.token);
  assert.equal((await accept({ token: other.token, password })).status, 200, 'of another admin');
  const revoked = await service.db.query<{ object_id: string }>(
    "select object_id from audit_events where action = 'invitation.revoked' and object_id = any ($1) order by 1",
    [[back, friend, other].map(({ id }) => String(id))],
  );
  assert.deepEqual(
    revoked.map(({ object_id }) => Number(object_id)).toSorted((a, b) => a - b),
    [back.id, friend.id],
  );
});

test('an owner who becomes an admin keeps the invitations that an admin may send', async () => {
  const demoted = await signIn(service, tenant, 'owner');
  const above = await invite(newEmail(), { by: demoted, role: 'owner' });
  const below = await invite(newEmail(), { by: demoted, role: 'admin' });
  assert.equal((await owner.patch(`${members}/${demoted.id}`, { role: 'admin' })).status, 200);
  await gone(above.token);
  assert.equal((await accept({ token: below.token, password })).status, 200);
});

test('an invitation holds only while its sender may send it, however they lost that', async () => {
  const lost: [invited: string, change: string][] = [
    ['owner', "update memberships set role = 'admin' where user_id = $1"],
    ['viewer', "update memberships set role = 'developer' where user_id = $1"],
    ['viewer', 'delete from memberships where user_id = $1'],
    ['viewer', 'delete from users where id = $1'],
  ];
  for (const [role, change] of lost) {
    const sender = await signIn(service, tenant, 'owner');
    const { token } = await invite(newEmail(), { by: sender, role });
    await service.db.query(change, [sender.id]);
    await gone(token);
  }
});

test('an acceptance that meets the demotion of its sender waits for it', async () => {
  const demoted = await signIn(service, tenant, 'admin');
  const { token } = await invite(newEmail(), { by: demoted, role: 'admin' });
  const held = {
    lock: "update memberships set role = 'viewer' where user_id = $1",
    values: [demoted.id],
    waiting: 1,
  };
  const answer = await whileLocked(service.db, held, async () => await accept({ token, password }));
  assert.equal(answer.json.code, 'invitation_not_found');
});

test('users cannot join a disabled instance', async () => {
  const { token } = await invite(newEmail());
  await service.db.query('update instances set is_enabled = false where id = $1', [tenant.instance.id]);
  const refused = await accept({ token, password });
  await service.db.query('update instances set is_enabled = true where id = $1', [tenant.instance.id]);
  assert.deepEqual([refused.status, refused.json.code], [403, 'instance_disabled']);
  assert.equal((await accept({ token, password })).status, 200);
});

test('the name of an instance is quoted in the mail and carries no message', async () => {
  const own = await service.tenant();
  const panel = await signIn(service, own, 'admin');
  const name = 'Your account is closed, sign in at https://evil.example/x » \u202e';
  assert.equal((await panel.patch('/v1/private/instance', { name })).status, 200);
  const before_ = mx.messages.length;
  await panel.post(invitations, { email: newEmail(), role: 'viewer' });
  const messages = await mx.waitForMessages(before_ + 1);
  const [sent] = await service.db.query<{ subject: string }>(
    "select envelope ->> 'subject' as subject from messages order by msg_id desc limit 1",
  );
  assert.match(sent?.subject ?? '', /^Invitación a «[^»“”]{1,49}» \/ Invitation to “[^»“”]{1,49}”$/);
  assert.doesNotMatch(messages[before_]?.data.toString().replaceAll('=\r\n', '') ?? '', /evil\.example/);
});

test('a token that is used twice at once makes one member', async () => {
  const { token } = await invite(newEmail());
  const answers = await Promise.all([1, 2, 3].map(async () => await accept({ token, password })));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 404, 404],
  );
});

test('an invitation is queued whatever the server of its recipient does, and an invalid address is a 422', async () => {
  const { status } = await admin.post(invitations, { email: 'ana@nowhere.test', role: 'viewer' });
  assert.equal(status, 201);
  const bad = await admin.post(invitations, { email: 'ana, eve@people.test', role: 'viewer' });
  assert.deepEqual([bad.status, bad.json.errors[0].pointer], [422, '/email']);
});

test('an instance cannot make the platform write to the world', async () => {
  const own = await service.tenant();
  const panel = await signIn(service, own, 'admin');
  await service.db.query(
    `insert into invitations (instance_id, email, role, token_hash, created_at, expires_at)
     select $1, n || '@people.test', 'viewer', sha256(n::text::bytea), $2, $2 from generate_series(1, 50) n`,
    [own.instance.id, clock.now()],
  );
  const refused = await panel.post(invitations, { email: newEmail(), role: 'viewer' });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3600']);

  await service.db.query(`delete from invitations where instance_id = $1 and email = '1@people.test'`, [
    own.instance.id,
  ]);
  const together = await whileLocked(
    service.db,
    { lock: 'lock table invitations in share mode', waiting: 2 },
    async () =>
      await Promise.all(
        [newEmail(), newEmail()].map(
          async (email) => await panel.post(invitations, { email, role: 'viewer' }),
        ),
      ),
  );
  assert.deepEqual(new Set(together.map(({ status }) => status)), new Set([201, 429]));
});

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
    'an owner elsewhere is none here, and owners elsewhere are no other owners',
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
