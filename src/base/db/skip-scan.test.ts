import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { Database } from './database.ts';
import { skipScan } from './skip-scan.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 1,
    pipelines: 1,
    on_error: () => undefined,
  });
  await db.query(
    `create table lanes (kind integer, owner integer, place text, is_open boolean, filler integer)`,
  );
  await db.query(`
    insert into lanes select kind, owner, 'p' || place, owner <> 3, filler
    from generate_series(0, 1) kind, generate_series(1, 3) owner, generate_series(1, 2) place, generate_series(1, 1000) filler`);
  await db.query('create index on lanes (kind, owner, place)');
  await db.query('vacuum analyze lanes');
});
after(async () => {
  await db.end();
  await database.drop();
});

const byKind = { as: 'lane', table: 'lanes', columns: ['owner', 'place'] };

test('distinct values are found once each, in order, by one probe each', async () => {
  const scan = skipScan({ ...byKind, where: 'kind = 1' });
  const query = `with recursive ${scan} select owner || place as lane from lane`;
  const found = await db.query<{ lane: string }>(query);
  assert.deepEqual(
    found.map(({ lane }) => lane),
    ['1p1', '1p2', '2p1', '2p2', '3p1', '3p2'],
  );
  const plan = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${query}`);
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  assert.match(text, /Index Only Scan.* loops=6/);
  assert.doesNotMatch(text, /Seq Scan/);
});

test('a scan continues after given values, under a condition, up to a limit', async () => {
  const scan = skipScan({ ...byKind, where: 'kind = 1 and is_open', after: ['$1', '$2'] });
  const query = `with recursive ${scan} select owner, place from lane limit 2`;
  assert.deepEqual(await db.query(query, [1, 'p1']), [
    { owner: 1, place: 'p2' },
    { owner: 2, place: 'p1' },
  ]);
});

test('each value of another column has a scan of its own', async () => {
  const each = { column: 'kind', values: `unnest('{0,1}'::integer[])` };
  const scan = skipScan({ ...byKind, where: 'owner = 2', columns: ['place'], each });
  const query = `with recursive ${scan} select kind, place from lane order by kind, place`;
  assert.deepEqual(await db.query(query), [
    { kind: 0, place: 'p1' },
    { kind: 0, place: 'p2' },
    { kind: 1, place: 'p1' },
    { kind: 1, place: 'p2' },
  ]);
});
