import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { withLiterals } from './copy-out.ts';
import { Database } from './database.ts';
import { LineStreams } from './line-streams.ts';

let database: TestDatabase;
let db: Database;
let lines: LineStreams;
before(async () => {
  database = await createTestDatabase();
  const on_error = (): void => undefined;
  db = new Database({ connection: database.connection, pool_size: 1, pipelines: 1, on_error });
  lines = new LineStreams({ connection: database.connection, max_open: 2, on_error });
});
after(async () => {
  await lines.end();
  await db.end();
  await database.drop();
});

async function readAll(sql: string, values: unknown[] = []): Promise<string> {
  const stream = await lines.open({ sql, values, timezone: 'UTC', between: '\r\n' });
  assert.ok(stream);
  const chunks: Buffer[] = [];
  for (let chunk = await stream.read(); chunk; chunk = await stream.read()) chunks.push(chunk);
  await stream.close();
  return Buffer.concat(chunks).toString();
}

test('text is the same in a literal, whatever it looks like', async () => {
  for (const text of ["'; drop table x --", String.raw`\'`, '$1', '$2', '\\', 'ñandú 🦙', 'a\nb', '']) {
    assert.equal(await readAll('select $1::text || $2', [text, '.']), `${text}.`);
  }
});

test('moments of any year mean the same as where they are bound', async () => {
  for (const text of ['2026-11-15', '+010000-01-01', '0001-01-01', '0000-12-31', '-000001-06-01']) {
    const timestamp = new Date(`${text}T03:04:05.678Z`);
    const bound = await db.query<{ text: string }>(
      `select ($1::timestamptz at time zone 'UTC')::text as text`,
      [timestamp],
    );
    assert.equal(
      await readAll(`select ($1::timestamptz at time zone 'UTC')::text`, [timestamp]),
      bound[0]?.text,
    );
  }
});

test('numbers, booleans, arrays and nothing have literals; anything else has none', async () => {
  const sql = `select concat($1::bigint, $2::boolean, ($3::text[])[2], $4::text)`;
  assert.equal(await readAll(sql, [-7, true, ['a', '"b'], null]), '-7t"b');
  assert.throws(() => withLiterals('select $1', [{}]), TypeError);
});

test('rows of any length arrive whole and in order, and no rows give no bytes', async () => {
  const sql = `select n || repeat('x', case when n % 7 = 0 then 100000 else n % 50 end) from generate_series(1, 2000) n`;
  const expected = Array.from({ length: 2000 }, (_, index) => index + 1).map(
    (n) => `${n}${'x'.repeat(n % 7 === 0 ? 100_000 : n % 50)}`,
  );
  assert.ok((await readAll(sql)) === expected.join('\r\n'));
  assert.equal(await readAll(`select 'x' where false`), '');
});
