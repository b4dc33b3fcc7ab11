import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { lineAbout, startErasure } from '../rights/erasure-bed.fixture.ts';
import { makeJobDue } from '../base/jobs/job-states.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api,jobs' });
});
after(async () => await service.stop());

test('other jobs run while an erasure takes its time', async () => {
  const { db } = service;
  const tenant = await service.tenant();
  await lineAbout(service, tenant);
  await db.query(
    `create function sleep() returns trigger language plpgsql as $$ begin perform pg_sleep(14); return new; end $$`,
  );
  await db.query('create trigger sleep before update on audit_events for each row execute function sleep()');
  const isErasing = async (): Promise<boolean> =>
    (
      await db.query(
        `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
      )
    ).length > 0;
  await startErasure(tenant);
  await waitFor(
    async () => {
      await makeJobDue(db, 'rights_erasures');
      return await isErasing();
    },
    { what: 'the erasure', timeout_ms: 30_000 },
  );
  const [asked] = await db.query<{ at: Date }>('select now() as at');
  await makeJobDue(db, 'purge_logins');
  await waitFor(
    async () =>
      (await db.query(`select from jobs where name = 'purge_logins' and last_success_at >= $1`, [asked?.at]))
        .length > 0,
    { what: 'the other job', timeout_ms: 30_000 },
  );
  assert.ok(await isErasing(), 'the other job did not wait for the erasure');
});
