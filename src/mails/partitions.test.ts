import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database } from '../base/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { makePartitionsAhead } from './partitions.ts';

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

test('what is missing of the coming months is made, once, by whoever looks first', async () => {
  const complete = await partitionsOf('mails');
  assert.equal(complete.length, 5);
  assert.equal(await makePartitionsAhead(db), 0);
  await db.query(`drop table ${complete.at(-1)}`);
  const made = await Promise.all([1, 2, 3].map(async () => await makePartitionsAhead(db)));
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
