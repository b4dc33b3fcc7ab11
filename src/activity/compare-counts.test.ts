import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { writeMail } from './activity-data.fixture.ts';
import { compareCounts } from './compare-counts.ts';
import { foldStats } from './fold-stats.ts';
import { statColumns } from './stats-columns.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

async function write(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await writeMail(service, tenant, { at: new Date(), status: made % 2 === 0 ? 3 : 6 });
  }
}

/** As before there were days: one table and no other. */
async function foldAsBefore(): Promise<void> {
  const columns = statColumns.join(', ');
  await service.db.query(
    `with taken as (delete from stats_deltas returning *)
     insert into stats_quarters as s (instance_id, is_detail, sender_id, category_id, quarter, ${columns})
     select instance_id, false, 0, 0, quarter, ${statColumns.map((name) => `sum(${name})`).join(', ')} from taken group by 1, 5
     on conflict (instance_id, is_detail, sender_id, category_id, quarter)
       do update set ${statColumns.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}`,
  );
}

test('mails and statistics agree, before they are added up and after', async () => {
  await write(3);
  const first = await compareCounts(service.db);
  assert.deepEqual([first.differences, first.is_complete], [[], true]);
  assert.ok(first.days > 80);
  await foldStats(service.db);
  assert.deepEqual((await compareCounts(service.db)).differences, []);
});

test('compare-counts finds what an older node counted in its own tables only', async () => {
  const day = new Date().toISOString().slice(0, 10);
  await write(4);
  await foldAsBefore();
  const { differences } = await compareCounts(service.db);
  const instance = tenant.instance.slug;
  assert.deepEqual(differences, [
    { instance, day, count: 'received', mails: 7, by_day: 3, by_quarter: 7 },
    { instance, day, count: 'sent', mails: 4, by_day: 2, by_quarter: 4 },
    { instance, day, count: 'bounced', mails: 3, by_day: 1, by_quarter: 3 },
  ]);
});

test('compare-counts leaves out what is past the retention of its instance', async () => {
  const other = await service.tenant();
  await service.db.query(
    `insert into stats_days select $1, false, 0, 0, day_of(now() - interval '3 months'), ${statColumns.map(() => '5').join(', ')}`,
    [other.instance.id],
  );
  const { differences } = await compareCounts(service.db);
  assert.deepEqual(
    differences.filter(({ instance }) => instance === other.instance.slug),
    [],
  );
});
