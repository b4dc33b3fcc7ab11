import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

let service: TestService;
let busy: Tenant;
let viewer: PanelUser;
let other: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  busy = await service.tenant();
  viewer = await signIn(service, busy, 'owner');
  other = await service.tenant();
});
after(async () => await service.stop());

/** Connections of the pool that wait for a lock. */
async function waiting(): Promise<number> {
  const rows = await service.db.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows.length;
}

const lists = [
  ['/v1/activities/bounced?recipient=ana%40example.com', 'events'],
  ['/v1/private/activities/bounced?recipient=ana%40example.com', 'events'],
  ['/v1/private/sandbox-messages?search=nothing', 'sandbox_messages'],
  ['/v1/private/audit-events?action=nothing', 'audit_events'],
  ['/v1/private/overview/attention', 'webhooks'],
] as const;
for (const [path, table] of lists) {
  test(`${path} of one instance leaves connections to the others, however long it takes`, async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const held = service.db.transaction(async (tx) => {
      await tx.query(`lock table ${table} in access exclusive mode`);
      locked.resolve();
      await released;
    });
    await locked.promise;
    const get = async () => await (path.startsWith('/v1/private') ? viewer : busy.api).get(path);
    const slow = Array.from({ length: 12 }, get);
    await waitFor(async () => (await waiting()) >= 4, { what: 'them to wait' });
    const answer = await other.api.get('/v1/mails');
    release();
    await held;
    assert.equal(answer.status, 200);
    for (const { status, text } of await Promise.all(slow)) assert.equal(status, 200, text);
  });
}
