import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { IdSequence } from '../base/ids.ts';
import { startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';
import { releaseHeld } from '../events/release-held.ts';
import type { Database, Queryable } from '../base/db/database.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api' });
});
after(async () => await bed.stop());

const ids = new IdSequence();
const setDomain = async (status: string): Promise<void> =>
  void (await bed.service.db.query('update domains set dkim_status = $2 where id = $1', [
    bed.domainId,
    status,
  ]));

async function hold(count: number, since: Date): Promise<void> {
  await bed.service.db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, held_since, held_domain_id)
     select gen_random_uuid(), gen_random_uuid(), $1, 'd' || n || '.test', 0, now(), $3, $4
     from generate_series(1, $2) n`,
    [bed.tenant.instance.id, count, since, bed.domainId],
  );
}
const countOf = async (condition: string): Promise<number> => {
  const [row] = await bed.service.db.query<{ count: number }>(
    `select count(*)::int as count from queue where ${condition}`,
  );
  return row?.count ?? 0;
};

/** Rows and index entries of the queue that the connection has read. */
async function rowsRead(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `select sum(pg_stat_get_xact_tuples_returned(each) + pg_stat_get_xact_tuples_fetched(each))::int as rows
     from (select 'queue'::regclass union all select indexrelid from pg_index where indrelid = 'queue'::regclass) as t (each)`,
  );
  return row?.rows ?? Number.NaN;
}

/** What `releaseHeld` reads of the queue to find nothing. */
async function rowsReadFor(now: Date): Promise<number> {
  let rows = Number.NaN;
  const counting = {
    transaction: async <T>(work: (tx: Queryable) => Promise<T>): Promise<T> =>
      await bed.service.db.transaction(async (tx) => {
        const earlier = await rowsRead(tx);
        const result = await work(tx);
        rows = (await rowsRead(tx)) - earlier;
        return result;
      }),
  };
  assert.equal(await releaseHeld(counting as unknown as Database, ids, now), 0);
  return rows;
}

test('held mail costs no scan, and becomes due when its domain is verified again', async () => {
  const { db } = bed.service;
  const now = new Date();
  await setDomain('failed');
  await hold(20_000, now);
  await db.query('analyze queue');
  await hold(10, new Date(now.getTime() - 5 * 86_400_000 - 1));
  assert.equal(await releaseHeld(db, ids, now), 10, 'five days are over for ten of them');
  assert.equal(await countOf('held_since is not null'), 20_000);
  const rows = await rowsReadFor(now);
  assert.ok(rows < 100, `${rows} rows are read to find none of 20,000 held mails`);
  await setDomain('verified');
  assert.equal(await releaseHeld(db, ids, now), 1_000);
  assert.equal(await countOf('held_since is null and held_domain_id = 0'), 1_000);
  await db.query('update instances set is_enabled = false where id = $1', [bed.tenant.instance.id]);
  assert.equal(await releaseHeld(db, ids, now), 0);
});
