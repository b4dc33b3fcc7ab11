import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi } from '../../test/support/api.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Role } from '../base/http/access.ts';
import { createFormAccount } from '../forms/form-account.fixture.ts';

const path = '/v1/private/sandbox-messages';
const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
let service: TestService;
let tenant: Tenant;
let team: Record<Role, PanelUser>;
before(async () => {
  service = await startTestService({ roles: 'api,web,delivery' });
  tenant = await service.tenant();
  const users = await Promise.all(roles.map(async (role) => [role, await signIn(service, tenant, role)]));
  team = Object.fromEntries(users) as Record<Role, PanelUser>;
});
after(async () => await service.stop());

interface Row {
  mail_id: string;
  recipient: string;
  platform_kind: string | null;
  is_read: boolean;
}

const inboxOf = async (user: PanelUser): Promise<Row[]> => (await user.get(path)).json.data;
/** Whether each role finds a mail to the address in the list. */
async function whoSees(recipient: string): Promise<Role[]> {
  const found = await Promise.all(
    roles.map(async (role) => (await inboxOf(team[role])).some((row) => row.recipient === recipient)),
  );
  return roles.filter((_role, index) => found[index]);
}

const captured = async (recipient: string): Promise<string> =>
  await waitFor(async () => {
    const [row] = await service.db.query<{ mail_id: string }>(
      'select mail_id from sandbox_messages where recipient = $1',
      [recipient],
    );
    return row?.mail_id;
  });

async function invite(email: string, role: Role): Promise<string> {
  const sent = await team.owner.post('/v1/private/team/invitations', { email, role });
  assert.equal(sent.status, 201, sent.text);
  return await captured(email);
}

/** What a user is answered who knows the id. */
async function tries(user: PanelUser, mail_id: string): Promise<number[]> {
  const answers = [await user.get(`${path}/${mail_id}`), await user.get(`${path}/${mail_id}/source`)];
  return answers.map(({ status }) => status);
}

test('an invitation is captured with its link, for owners and admins, and is found by nobody else', async () => {
  const mail_id = await invite('eva@company.test', 'developer');
  assert.deepEqual(await whoSees('eva@company.test'), ['owner', 'admin']);
  const { json } = await team.admin.get(`${path}/${mail_id}`);
  assert.equal(json.platform_kind, 'invitation');
  assert.match(json.text, /accept-invitation#[\w-]{43}/);
  for (const role of ['developer', 'viewer'] as const) {
    assert.deepEqual(await tries(team[role], mail_id), [404, 404], role);
  }
  const other = await signIn(service, await service.tenant(), 'owner');
  assert.deepEqual(await tries(other, mail_id), [404, 404]);
});

test('an admin cannot take the role of an owner by an invitation that they read', async () => {
  const mail_id = await invite('partner@company.test', 'owner');
  assert.deepEqual(await whoSees('partner@company.test'), ['owner']);
  assert.deepEqual(await tries(team.admin, mail_id), [404, 404]);
  assert.deepEqual(await tries(team.owner, mail_id), [200, 200]);
});

test('a developer neither marks nor deletes what they do not see', async () => {
  const mail_id = await invite('rosa@company.test', 'viewer');
  const { developer } = team;
  assert.equal((await developer.post(`${path}/read`, {})).status, 204);
  assert.equal((await developer.request('DELETE', `${path}/${mail_id}`)).status, 404);
  assert.equal((await developer.post(`${path}/clear`)).status, 200);
  const row = (await inboxOf(team.owner)).find((each) => each.mail_id === mail_id);
  assert.equal(row?.is_read, false);
});

test('a password link is found by the owner of the account only, whatever the role of others', async () => {
  const ana = await signIn(service, tenant, 'viewer');
  const { email } = ana.login;
  const open = createApi({ base_url: service.base_url });
  const asked = await open.post('/v1/private/auth/forgotten-password', { email });
  assert.ok(asked.status < 300, asked.text);
  const mail_id = await captured(email);
  assert.deepEqual(await whoSees(email), []);
  for (const role of roles) assert.deepEqual(await tries(team[role], mail_id), [404, 404], role);
  const { data } = (await ana.get(path)).json;
  assert.deepEqual(
    data.map((row: Row) => [row.mail_id, row.platform_kind]),
    [[mail_id, 'password-reset']],
  );
  assert.match((await ana.get(`${path}/${mail_id}`)).json.text, /reset-password#/);
});

test('the double opt-in of a form with the sandbox sender is captured for any address', async () => {
  const account = await createFormAccount(service);
  const form = {
    name: 'News',
    kind: 'advanced',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: account.sender_id,
    items: [{ kind: 'field', field_id: account.fields['EMAIL'] }],
  };
  const { public_token } = (await account.panel.post('/v1/private/forms', form)).json;
  const email = `bounce-${account.instance.slug}@company.cl`;
  const filled = await fetch(`${service.base_url}/f/${public_token}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ EMAIL: email }),
  });
  assert.equal(filled.status, 303, await filled.text());
  const mail_id = await captured(email);
  const viewer = await signIn(service, account, 'viewer');
  const { json } = await viewer.get(`${path}/${mail_id}`);
  assert.deepEqual([json.platform_kind, /\/confirm\//.test(json.text)], [null, true]);
  await waitFor(async () => (await account.api.get(`/v1/mails/${mail_id}`)).json.status_name === 'sent');
  const direct = await account.api.post('/v1/mails/send', {
    sender_email: `test@${account.instance.slug}.sandbox.test`,
    to: [{ email }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  assert.deepEqual([direct.status, direct.json.code], [409, 'sandbox_relay_restricted']);
});
