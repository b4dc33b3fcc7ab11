import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { arrayLiteral, columnsOf } from './columns.ts';
import { Database } from './database.ts';

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
});

after(async () => {
  await db.end();
  await database.drop();
});

async function roundTrip(values: (string | number | boolean | null)[], type: string): Promise<unknown> {
  const [row] = await db.query<{ read: unknown }>(`select $1::${type}[] as read`, [arrayLiteral(values)]);
  return row?.read;
}

test('text comes back as it was, whatever it looks like', async () => {
  const texts = [
    '',
    'NULL',
    'null',
    '{}',
    '{a,b}',
    ',',
    '"',
    '\\',
    '\\"',
    '"\\',
    "'",
    ' padded ',
    'ñandú 🦙',
    'a\nb\t',
  ];
  assert.deepEqual(await roundTrip([...texts, null], 'text'), [...texts, null]);
});

test('random text of what arrays are made of comes back as it was', async () => {
  const letters = ['"', '\\', '{', '}', ',', 'N', 'U', 'L', ' ', 'é'];
  let seed = 7;
  const next = (): number => (seed = (seed * 48271) % 2147483647);
  const texts = Array.from({ length: 500 }, () =>
    Array.from({ length: next() % 12 }, () => letters[next() % letters.length]).join(''),
  );
  assert.deepEqual(await roundTrip(texts, 'text'), texts);
});

test('numbers, booleans, documents and no rows at all', async () => {
  assert.deepEqual(await roundTrip([1, -2, null, 2 ** 40], 'bigint'), [1, -2, null, 2 ** 40]);
  assert.deepEqual(await roundTrip([true, false, null], 'boolean'), [true, false, null]);
  const document = { a: ['"', '\\', { b: null }] };
  assert.deepEqual(await roundTrip([JSON.stringify(document)], 'jsonb'), [document]);
  assert.deepEqual(await roundTrip([], 'text'), []);
});

test('rows become one array for each of their properties', () => {
  const rows = [
    { id: 1, name: 'a "b"' },
    { id: 2, name: null },
  ];
  assert.deepEqual(columnsOf(rows, ['name', 'id']), [String.raw`{"a \"b\"",NULL}`, '{1,2}']);
});
