import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

test('a search that takes longer than five seconds is cancelled, and says when to come again', async () => {
  const viewer = await signIn(service, tenant, 'viewer');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const held = service.db.transaction(async (tx) => {
    await tx.query('lock table mails, events, sandbox_messages in access exclusive mode');
    locked.resolve();
    await released;
  });
  await locked.promise;
  const answers = await Promise.all([
    tenant.api.get('/v1/mails?recipient=ana%40example.com'),
    tenant.api.get('/v1/activities/bounced'),
    tenant.api.get('/v1/activities/sent?subject=order'),
    viewer.get('/v1/private/sandbox-messages?search=order'),
  ]);
  release();
  await held;
  for (const { status, json, headers } of answers) {
    assert.deepEqual([status, json.code, headers.get('retry-after')], [503, 'search_timeout', '60']);
  }
  assert.equal((await tenant.api.get('/v1/mails?recipient=ana%40example.com')).status, 200);
});
