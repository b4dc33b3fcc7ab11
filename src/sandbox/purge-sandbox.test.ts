import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { idAt } from '../activity/activity-data.fixture.ts';
import { purgeSandboxJob } from './purge-sandbox.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

const now = new Date();
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

/** A message of a mail of that day, captured that day. */
async function captured(accepted: Date, captured_at: Date): Promise<string> {
  const mail_id = idAt(accepted);
  await service.db.query(
    `insert into sandbox_messages (mail_id, instance_id, recipient, raw, captured_at)
     values ($1, $2, 'ana@sandbox.test', 'x', $3)`,
    [mail_id, tenant.instance.id, captured_at],
  );
  return mail_id;
}

test('only mail captured more than 30 days ago is deleted', async () => {
  await captured(daysAgo(31), daysAgo(31));
  const kept = [await captured(daysAgo(31), daysAgo(29)), await captured(daysAgo(29), daysAgo(29))];
  const summary = await purgeSandboxJob.run({ db: service.db, now, isStopping: () => false });
  assert.equal(summary, '1 sandbox messages');
  const rows = await service.db.query<{ mail_id: string }>(
    'select mail_id from sandbox_messages order by mail_id',
  );
  assert.deepEqual(
    rows.map(({ mail_id }) => mail_id),
    kept,
  );
});

test('a large inbox is cleared by several calls, and each is in the audit log', async () => {
  const developer = await signIn(service, tenant, 'developer');
  await service.db.query('delete from sandbox_messages');
  await service.db.query(
    `insert into sandbox_messages (mail_id, instance_id, recipient, raw, captured_at)
     select gen_random_uuid(), $1, 'ana@sandbox.test', 'x', now() from generate_series(1, 5001)`,
    [tenant.instance.id],
  );
  const clear = async () => (await developer.post('/v1/private/sandbox-messages/clear')).json;
  assert.deepEqual(await clear(), { deleted: 5_000, has_more: true });
  assert.deepEqual(await clear(), { deleted: 1, has_more: false });
  const noted = await service.db.query(
    `select actor_kind, object_kind, details from audit_events
     where instance_id = $1 and action = 'sandbox_messages.deleted' order by id`,
    [tenant.instance.id],
  );
  const line = { actor_kind: 'user', object_kind: 'sandbox_message' };
  assert.deepEqual(noted, [
    { ...line, details: { deleted: 5_000 } },
    { ...line, details: { deleted: 1 } },
  ]);
});
