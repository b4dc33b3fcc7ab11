import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { Database } from './database.ts';
import { parseTimestamp } from './timestamp.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase({ empty: true });
  const options = { pool_size: 1, pipelines: 1, on_error: () => undefined };
  db = new Database({ connection: database.connection, ...options });
});
after(async () => {
  await db.end();
  await database.drop();
});

const moments = [
  '2026-11-16T18:30:34.123Z',
  '2026-11-16T18:30:34.120Z',
  '2026-11-16T18:30:34.100Z',
  '2026-11-16T18:30:34.000Z',
  '2024-02-29T23:59:59.999Z',
  '1969-12-31T23:59:59.001Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];

for (const zone of ['UTC', 'America/Santiago', 'Asia/Kathmandu']) {
  test(`moments are read as they were written, in ${zone}`, async () => {
    await db.transaction(async (tx) => {
      await tx.query("select set_config('TimeZone', $1, true)", [zone]);
      const rows = await tx.query<{ at: Date }>('select at from unnest($1::timestamptz[]) as at', [moments]);
      assert.deepEqual(
        rows.map(({ at }) => [at instanceof Date, at.getTime(), JSON.stringify(at), String(at)]),
        moments.map((text) => [true, Date.parse(text), JSON.stringify(text), String(new Date(text))]),
      );
    });
  });
}

test('microseconds are cut off, as by the driver', () => {
  assert.equal(JSON.stringify(parseTimestamp('2026-11-16 18:30:34.999999+00')), '"2026-11-16T18:30:34.999Z"');
});

test('what is no moment of four digits is what the driver makes of it', () => {
  assert.equal(parseTimestamp('infinity'), Infinity);
  assert.equal((parseTimestamp('12026-11-16 18:30:34+00') as Date).getUTCFullYear(), 12_026);
  assert.equal((parseTimestamp('0044-03-15 12:00:00+00 BC') as Date).getUTCFullYear(), -43);
});

test('a moment that was read can be given to a statement', async () => {
  const [row] = await db.query<{ at: Date }>("select timestamptz '2026-11-16 18:30:34.123+00' as at");
  const [same] = await db.query<{ is_same: boolean }>(
    "select $1::timestamptz = '2026-11-16 18:30:34.123+00' as is_same",
    [row?.at],
  );
  assert.equal(same?.is_same, true);
});
