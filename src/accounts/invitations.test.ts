import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Api } from '../../test/support/api.ts';
import type { DnsServer } from '../../test/support/dns-server.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import type { RemoteMx } from '../../test/support/remote-mx.ts';
import type { Tenant, TestService } from '../../test/support/test-service.ts';
import { whileLocked } from '../../test/support/while-locked.ts';
import { invitations, members, startTeamBed, type TeamBed } from './team-bed.fixture.ts';
import { createMember } from './users.ts';

const password = 'a long password';
let bed: TeamBed;
let service: TestService;
let dns: DnsServer;
let mx: RemoteMx;
let clock: TeamBed['clock'];
let tenant: Tenant;
let owner: PanelUser;
let admin: PanelUser;
let open: Api;
let newEmail: TeamBed['newEmail'];
let invite: TeamBed['invite'];
before(async () => {
  bed = await startTeamBed();
  ({ service, dns, mx, clock, tenant, owner, admin, open, newEmail, invite } = bed);
});
after(async () => await bed.stop());

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
  bed.admin = admin = await signIn(service, tenant, 'admin');
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
