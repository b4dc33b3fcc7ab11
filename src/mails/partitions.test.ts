import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database } from '../base/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { createPartitions } from './partitions.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 4,
    pipelines: 1,
    on_error: () => undefined,
  });
});
after(async () => {
  await db.end();
  await database.drop();
});

const partitionsOf = async (parent: string): Promise<string[]> =>
  (
    await db.query<{ name: string }>(
      'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
      [parent],
    )
  ).map(({ name }) => name);

test('the first caller creates the missing partitions of the coming months, once', async () => {
  const complete = await partitionsOf('mails');
  assert.equal(complete.length, 5);
  assert.equal(await createPartitions(db), 0);
  await db.query(`drop table ${complete.at(-1)}`);
  const made = await Promise.all([1, 2, 3].map(async () => await createPartitions(db)));
  assert.deepEqual(
    made.toSorted((a, b) => a - b),
    [0, 0, 1],
  );
  assert.deepEqual(await partitionsOf('mails'), complete);
});

test('a mail of any moment from last month to three months ahead has its place', async () => {
  const [row] = await db.query<{ places: number }>(
    `select count(distinct c.relname) as places
     from generate_series(date_trunc('month', now()) - interval '1 month', date_trunc('month', now()) + interval '3 months', interval '1 month') as month,
       lateral (select 1) as one
     join pg_class c on true
     where c.relname = 'mails_' || to_char(month at time zone 'UTC', 'YYYY_MM')`,
  );
  assert.equal(row?.places, 5);
});

/** Columns, storage, indexes with their parents, and constraints, without the name of the month. */
async function describe(table: string): Promise<unknown> {
  const [row] = await db.query<{ described: unknown }>(
    `select json_build_object(
       'columns', (select json_agg(json_build_array(attname, atttypid, attnotnull, attstorage, attgenerated,
           (select pg_get_expr(adbin, adrelid) from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum)) order by attname)
         from pg_attribute a where attrelid = c.oid and attnum > 0 and not attisdropped),
       'indexes', (select json_agg(json_build_array(i.inhparent::regclass,
           regexp_replace(pg_get_indexdef(x.indexrelid), '^.* USING ', '')) order by i.inhparent::regclass::text)
         from pg_index x left join pg_inherits i on i.inhrelid = x.indexrelid where x.indrelid = c.oid),
       'constraints', (select json_agg(pg_get_constraintdef(oid) order by pg_get_constraintdef(oid))
         from pg_constraint where conrelid = c.oid)) as described
     from pg_class c where c.oid = $1::regclass`,
    [table],
  );
  return row?.described;
}

test('a month made apart and attached is as one that was created as a partition', async () => {
  for (const parent of ['messages', 'message_attachments', 'mails', 'mail_tags', 'events', 'mail_subjects']) {
    const [last] = (await partitionsOf(parent)).slice(-1);
    await db.query(
      `create table ${parent}_2020_01 partition of ${parent}
       for values from (uuid_at('2020-01-01Z')) to (uuid_at('2020-02-01Z'))`,
    );
    await db.query(`drop table ${last}`);
    assert.equal(await createPartitions(db), 1);
    assert.deepEqual(await describe(last ?? ''), await describe(`${parent}_2020_01`));
  }
  const options = await db.query<{ reloptions: string[] }>(
    `select reloptions from pg_class where oid = any ($1::regclass[]) order by relname`,
    [[(await partitionsOf('mails')).at(-1), (await partitionsOf('messages')).at(-1)]],
  );
  assert.deepEqual(
    options.map(({ reloptions }) => reloptions),
    [['fillfactor=70'], ['toast_tuple_target=4080']],
  );
});
