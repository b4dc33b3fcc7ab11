import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { Conditions } from '../db/conditions.ts';
import { Database, type Queryable, type Statement } from '../db/database.ts';
import { selectPage, type PageRequest } from './pagination.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 2,
    pipelines: 0,
    on_error: () => undefined,
  });
  await db.query('create table words (id bigint primary key, word text, lot int not null)');
  await db.query("insert into words select n, 'w' || n, 1 from generate_series(1, 25) n");
  await db.query('insert into words select 100 + n, null, 2 from generate_series(1, 10000) n');
  await db.query('insert into words select 20000 + n, null, 3 from generate_series(1, 10001) n');
  await db.query(
    `insert into words select 40000 + row_number() over (), w, 4
     from unnest(array['100%', '100 percent', 'a_b', 'axb', 'back\\slash', 'backslash', 'UPPER', 'Ñandú', 'what?']) w`,
  );
});
after(async () => {
  await db.end();
  await database.drop();
});

async function list(lot: number, request: PageRequest = {}, part?: string | null) {
  const conditions = new Conditions().where('lot = ?', lot).contains('word', part);
  return await selectPage<{ id: number; word: string | null }>(
    db,
    {
      columns: 'id, word',
      source: `from words where ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
    },
    request,
  );
}

test('pages follow each other, and the last one says so', async () => {
  const pages = [await list(1, { page_size: 10 }), await list(1, { page: 2, page_size: 10 })];
  pages.push(await list(1, { page: 3, page_size: 10 }));
  assert.deepEqual(
    pages.map(({ data, pagination }) => [data.length, pagination.has_more]),
    [
      [10, true],
      [10, true],
      [5, false],
    ],
  );
  assert.deepEqual(
    pages.flatMap(({ data }) => data.map(({ id }) => id)),
    Array.from({ length: 25 }, (_none, index) => index + 1),
  );
  assert.deepEqual(pages[0]?.pagination, {
    page: 1,
    page_size: 10,
    has_more: true,
    total_items: 25,
    total_pages: 3,
  });
});

test('a full last page has no more behind it', async () => {
  const { pagination } = await list(1, { page: 5, page_size: 5 });
  assert.deepEqual([pagination.has_more, pagination.total_pages], [false, 5]);
});

test('twenty items are a page when nothing is said', async () => {
  const { data, pagination } = await list(1);
  assert.deepEqual([data.length, pagination.page, pagination.page_size], [20, 1, 20]);
});

test('rows come without what counted them', async () => {
  assert.deepEqual((await list(1, { page_size: 1 })).data, [{ id: 1, word: 'w1' }]);
});

test('an empty list has no pages', async () => {
  const { data, pagination } = await list(9);
  assert.deepEqual(data, []);
  assert.deepEqual(pagination, { page: 1, page_size: 20, has_more: false, total_items: 0, total_pages: 0 });
});

test('beyond the last page there is nothing, and the totals still stand', async () => {
  for (const page of [99, Number.MAX_SAFE_INTEGER]) {
    const { data, pagination } = await list(1, { page, page_size: 100 });
    assert.deepEqual([data, pagination.has_more], [[], false]);
    assert.deepEqual([pagination.total_items, pagination.total_pages], [25, 1]);
  }
});

test('ten thousand are counted, one more is not', async () => {
  const counted = await list(2, { page: 100, page_size: 100 });
  assert.deepEqual(counted.pagination.total_items, 10_000);
  assert.deepEqual([counted.pagination.total_pages, counted.pagination.has_more], [100, false]);
  const uncounted = await list(3, { page: 100, page_size: 100 });
  assert.deepEqual(uncounted.pagination, {
    page: 100,
    page_size: 100,
    has_more: true,
    total_items: null,
    total_pages: null,
  });
  assert.equal((await list(3, { page: 101, page_size: 100 })).data.length, 1);
});

const searches: [string, string[]][] = [
  ['100%', ['100%']],
  ['%', ['100%']],
  ['_', ['a_b']],
  ['a_b', ['a_b']],
  ['\\', ['back\\slash']],
  ['\\s', ['back\\slash']],
  ['k\\', ['back\\slash']],
  ['100', ['100%', '100 percent']],
  ['upper', ['UPPER']],
  ['PPE', ['UPPER']],
  ['?', ['what?']],
  ['', ['100%', '100 percent', 'a_b', 'axb', 'back\\slash', 'backslash', 'UPPER', 'Ñandú', 'what?']],
];
for (const [part, expected] of searches) {
  test(`a search for '${part}' finds it anywhere, in either case, and means what it says`, async () => {
    const { data } = await list(4, {}, part);
    assert.deepEqual(
      data.map(({ word }) => word),
      expected,
    );
  });
}

test('a search knows the cases of letters beyond ASCII', async () => {
  assert.deepEqual(
    (await list(4, {}, 'ñandÚ')).data.map(({ word }) => word),
    ['Ñandú'],
  );
});

test('a filter that is not given, or null, filters nothing', async () => {
  assert.equal((await list(4, {}, null)).pagination.total_items, 9);
  assert.equal((await list(4, {}, undefined)).pagination.total_items, 9);
  assert.equal(new Conditions().sql(), 'true');
});

test('short lists are prepared, so many texts and no more', async () => {
  const asked: (string | Statement)[] = [];
  const recorder: Queryable = {
    query: async (sql) => {
      asked.push(sql);
      return [];
    },
  };
  const ask = async (text: string): Promise<void> => {
    const selection = { columns: 'id', source: `from words where ${text}`, order_by: 'id', values: [] };
    await selectPage(recorder, { ...selection, is_short: true }, {});
  };
  for (let number = 0; number < 300; number += 1) await ask(`lot = ${number}`);
  await ask('lot = 0');
  const named = asked.flatMap((sql) => (typeof sql === 'string' ? [] : [sql.name]));
  // Others of this process may have taken some.
  assert.ok(new Set(named).size > 0 && new Set(named).size <= 200);
  assert.equal(typeof asked[299], 'string', 'beyond them a text is not prepared');
  assert.equal(named.at(-1), named[0], 'the same text has the same name');
});
