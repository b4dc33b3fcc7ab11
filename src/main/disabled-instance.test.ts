import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Operation } from '../base/http/operation.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

/**
 * The law's duties to people do not end with the instance: their requests are still recorded and answered. What a person has read
 * is theirs.
 */
const allowed = [
  'panel_annotate_rights_request',
  'panel_cancel_rights_erasure',
  'panel_create_rights_request',
  'panel_extend_rights_request',
  'panel_fulfil_rights_request',
  'panel_lift_rights_request',
  'panel_read_alerts',
  'panel_refuse_rights_request',
];

let service: TestService;
let tenant: Tenant;
let owner: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  owner = await signIn(service, tenant, 'owner');
  await setEnabled(false);
});
after(async () => await service.stop());

async function setEnabled(is_enabled: boolean): Promise<void> {
  await service.db.query('update instances set is_enabled = $2 where id = $1', [
    tenant.instance.id,
    is_enabled,
  ]);
}

const call = async ({ method, path, body_example: body }: Operation) =>
  await owner.request(method, path.replaceAll(/\{\w+\}/g, '1'), body === undefined ? {} : { body });

const ofMembers = (): Operation[] =>
  service.service.operations.filter(({ access }) => access.kind === 'user');

test('members of a disabled instance change nothing of it, except to answer rights requests', async () => {
  const writes = ofMembers().filter(({ method }) => method !== 'GET');
  assert.ok(writes.length > 60, String(writes.length));
  const through: string[] = [];
  for (const write of writes) {
    const { status, json } = await call(write);
    if (json?.code === 'instance_disabled') assert.equal(status, 403);
    else through.push(write.id);
  }
  assert.deepEqual(through.toSorted(), allowed);
});

test('the refusal says what holds and what remains', async () => {
  const { json } = await owner.post('/v1/private/team/invitations', {
    email: 'ana@example.com',
    role: 'viewer',
  });
  assert.equal(json.code, 'instance_disabled');
  assert.match(json.detail, /disabled/);
  const sent = await service.db.query('select from invitations where instance_id = $1', [tenant.instance.id]);
  assert.equal(sent.length, 0);
});

test('members of a disabled instance read and export', async () => {
  for (const read of ofMembers().filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
    if (read.path.endsWith('/live')) continue;
    const { status, json } = await call(read);
    assert.ok([200, 422].includes(status), `${read.id} ${status} ${json?.code}`);
  }
  assert.equal((await owner.get('/v1/private/activities/sent/export?format=csv')).status, 200);
});

test('a person keeps their account and sessions', async () => {
  assert.equal((await owner.patch('/v1/private/me', { name: 'Ana' })).status, 200);
  assert.equal((await owner.post('/v1/private/account/sessions/end-others')).status, 204);
});

test('a missing role is reported first, and an enabled instance accepts changes again', async () => {
  const viewer = await signIn(service, tenant, 'viewer');
  assert.equal((await viewer.patch('/v1/private/instance', { name: 'Mine' })).json.code, 'forbidden');
  await setEnabled(true);
  assert.equal((await owner.patch('/v1/private/instance', { name: 'Mine' })).status, 200);
  await setEnabled(false);
});
