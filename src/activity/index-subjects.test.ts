import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { writeMail } from './activity-data.fixture.ts';
import { indexSubjectsJob } from './index-subjects.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

const run = async (): Promise<string> =>
  await indexSubjectsJob.run({ db: service.db, now: new Date(), isStopping: () => false });

test('subjects are indexed half a minute behind, and nothing is left for searches to sort out', async () => {
  const now = Date.now();
  await writeMail(service, tenant, { at: new Date(now - 3_600_000), subject: 'An hour ago' });
  await writeMail(service, tenant, { at: new Date(now - 60_000), subject: 'A minute ago' });
  await writeMail(service, tenant, { at: new Date(now), subject: 'Just now' });
  assert.equal(await run(), '2 subjects');
  assert.equal(await run(), '0 subjects');
  const [row] = await service.db.query<{ pages: number }>(
    `select sum(gin_clean_pending_list(inhrelid::regclass)) as pages from pg_inherits
     where inhparent = 'mail_subjects_parts'::regclass`,
  );
  assert.equal(Number(row?.pages), 0);
});
