import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { copyInto } from './copy-in.ts';
import { Database } from './database.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase({ empty: true });
  db = new Database({
    connection: database.connection,
    pool_size: 1,
    pipelines: 1,
    on_error: () => undefined,
  });
  await db.query(`create table kinds (id integer primary key, truth boolean, small smallint, big bigint,
    timestamp timestamptz, uuid uuid, text text, json jsonb, bytes bytea)`);
  await db.query('create table others (id integer primary key, word text not null)');
});
after(async () => {
  await db.end();
  await database.drop();
});

interface Kinds {
  id: number;
  truth: boolean | null;
  small: number | null;
  big: number | null;
  timestamp: Date | null;
  uuid: string | null;
  text: string | null;
  json: unknown;
  bytes: Buffer | null;
}

const intoKinds = copyInto<Kinds>('kinds', {
  id: (to, { id }) => to.integer(id),
  truth: (to, { truth }) => to.boolean(truth),
  small: (to, { small }) => to.smallint(small),
  big: (to, { big }) => to.bigint(big),
  timestamp: (to, { timestamp }) => to.timestamp(timestamp),
  uuid: (to, { uuid }) => to.uuid(uuid),
  text: (to, { text }) => to.text(text),
  json: (to, { json }) => to.json(json),
  bytes: (to, { bytes }) => to.bytes(bytes),
});
const intoOthers = copyInto<{ id: number; word: string | null }>('others', {
  id: (to, { id }) => to.integer(id),
  word: (to, { word }) => to.text(word),
});

const nothing = { truth: null, small: null, big: null, timestamp: null, uuid: null, text: null, bytes: null };

test('values of every kind arrive as they were, whatever their size', async () => {
  const rows: Kinds[] = [
    { id: 1, ...nothing, json: {} },
    {
      id: 2,
      truth: true,
      small: -32_768,
      big: Number.MAX_SAFE_INTEGER,
      timestamp: new Date('2026-11-15T10:11:12.345Z'),
      uuid: '019a84f2-7c00-7000-8000-2f6d1c3b5a79',
      text: '',
      json: { list: [1, 'zwei "3" \\ ñ 🦙'] },
      bytes: Buffer.alloc(0),
    },
    {
      id: -3,
      truth: false,
      small: 32_767,
      big: Number.MIN_SAFE_INTEGER,
      timestamp: new Date('1969-12-31T23:59:59.999Z'),
      uuid: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      text: 'ñ 🦙 "\\,{}\n\t',
      json: [null, true],
      bytes: Buffer.from([0, 255, 10, 13, 92]),
    },
    // Around the sizes at which chunks end and content is no longer copied.
    ...[8_191, 8_192, 8_193, 32_700, 32_768, 100_000].map((size, index): Kinds => ({
      id: 10 + index,
      ...nothing,
      big: -1,
      text: '🦙'.repeat(size / 4),
      json: 'ñ'.repeat(size),
      bytes: randomBytes(size),
    })),
    // Many small ones, so that chunks end at any place of a row.
    ...Array.from({ length: 3_000 }, (_, index): Kinds => ({
      id: 1_000 + index,
      ...nothing,
      text: 'x'.repeat(index % 50),
      json: index,
      bytes: Buffer.alloc(index % 40, index),
    })),
  ];
  await db.batch(0, [intoKinds(rows)]);
  const found = await db.query<Kinds>('select * from kinds');
  const known = new Map(found.map((row) => [row.id, row]));
  assert.equal(found.length, rows.length);
  for (const row of rows) assert.deepEqual(known.get(row.id), row);
});

test('all steps are one commit, and a failure of any of them leaves nothing and does not affect later callers', async () => {
  const good = { id: 1, word: 'word' };
  const many = Array.from({ length: 5_000 }, (_, id) => ({ id: 100 + id, word: 'x'.repeat(100) }));
  for (const [culprit, code] of [
    [{ id: 2, word: null }, '23502'],
    [{ id: 2, word: 'a\0b' }, '22021'],
    [good, '23505'],
  ] as const) {
    // With rows behind the culprit that the server has to ignore, in the same step and in others.
    const steps = [intoOthers([good]), intoOthers([culprit, ...many]), intoOthers(many)];
    await assert.rejects(db.batch(0, steps), { code });
    assert.deepEqual(await db.query('select * from others'), []);
  }
  await assert.rejects(db.batch(0, [intoOthers(many), { sql: 'no statement' }]), { code: '42601' });
  await db.batch(0, [intoOthers([good]), { sql: 'notify somebody' }]);
  assert.deepEqual(await db.query('select * from others'), [good]);
});
