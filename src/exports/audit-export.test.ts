import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/audit-events/export';
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

test('admins export the audit log with the filters of the list, and the export is in it', async () => {
  const admin = await signIn(service, tenant, 'admin');
  await signIn(service, await service.tenant(), 'owner');
  const listed = (await admin.get('/v1/private/audit-events?action=member.added')).json.data;
  const { json } = await admin.get(`${path}?format=json&action=member.added`);
  assert.ok(json.data.length > 0);
  const withoutTime = ({ at: _at, ...rest }: Record<string, unknown>): unknown => rest;
  assert.deepEqual(json.data.map(withoutTime), listed.map(withoutTime));
  const csv = await admin.get(path);
  assert.match(csv.text, /"actor_email"/);
  const again = (await admin.get('/v1/private/audit-events?action=audit_events.exported')).json.data;
  assert.equal(again.length, 2);
});

test('others do not', async () => {
  for (const role of ['developer', 'viewer'] as const) {
    const user = await signIn(service, tenant, role);
    assert.equal((await user.get(path)).json.code, 'forbidden', role);
  }
});
