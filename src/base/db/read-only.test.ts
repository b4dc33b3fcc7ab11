import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { Database } from './database.ts';
import { LineStreams } from './line-streams.ts';

let database: TestDatabase;
let admin: Client;
before(async () => {
  database = await createTestDatabase({ empty: true });
  admin = new Client(database.connection);
  await admin.connect();
  await admin.query('create table notes (text text); create sequence lines');
});
after(async () => {
  await admin.end();
  await database.drop();
});

/** What a session that begins now may do; one that began before keeps what it had then, as after a failover. */
async function setReadOnly(state: 'on' | 'off'): Promise<void> {
  await admin.query(
    `alter database ${database.connection.database} set default_transaction_read_only = ${state}`,
  );
}

function open(t: TestContext): Database {
  const { connection } = database;
  const db = new Database({ connection, pool_size: 1, pipelines: 1, on_error: () => undefined });
  t.after(async () => await db.end(0));
  return db;
}

const insert = "insert into notes (text) values ('x')";
const pid = 'select pg_backend_pid() as pid';
const ways: [
  string,
  { write: (db: Database) => Promise<unknown>; read: (db: Database) => Promise<unknown> },
][] = [
  ['the pool', { write: async (db) => await db.query(insert), read: async (db) => await db.query(pid) }],
  [
    'a transaction',
    {
      write: async (db) => await db.transaction(async (tx) => await tx.query(insert)),
      read: async (db) => await db.transaction(async (tx) => await tx.query(pid)),
    },
  ],
  [
    'the pipelined connection',
    {
      write: async (db) => await db.query({ name: 'insert', text: insert }),
      read: async (db) => await db.query({ name: 'pid', text: pid }),
    },
  ],
  [
    'the relaxed connection',
    {
      write: async (db) => await db.query({ name: 'insert', text: insert, relaxed: true }),
      read: async (db) => await db.query({ name: 'pid', text: pid, relaxed: true }),
    },
  ],
  [
    'a batch connection',
    {
      write: async (db) => await db.batch(0, [{ sql: insert }]),
      read: async (db) => await db.batch(0, [{ sql: 'do $$ begin end $$' }]),
    },
  ],
];
for (const [name, { write, read }] of ways) {
  test(`a read-only session of ${name} is given up at its first refusal`, async (t) => {
    const db = open(t);
    await setReadOnly('on');
    await read(db);
    await setReadOnly('off');
    await assert.rejects(write(db), { code: '25006' });
    await write(db);
  });
}

test('neighbours of a refused statement on the pipelined connection are answered', async (t) => {
  const db = open(t);
  await setReadOnly('on');
  await db.query({ name: 'pid', text: pid });
  await setReadOnly('off');
  const results = await Promise.allSettled([
    db.query({ name: 'pid', text: pid }),
    db.query({ name: 'insert', text: insert }),
    db.query({ name: 'pid', text: pid }),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a stream of lines that was refused as a write leaves no session behind', async (t) => {
  const { connection } = database;
  const lines = new LineStreams({ connection, max_open: 1, on_error: () => undefined });
  t.after(async () => await lines.end());
  const query = { values: [], timezone: 'UTC', between: '\n' };
  await assert.rejects(lines.open({ sql: "select nextval('lines')::text", ...query }), { code: '25006' });
  const sessions =
    "select pid from pg_stat_activity where application_name = 'chasqui export' and datname = $1";
  const { rows: before_next } = await admin.query<{ pid: number }>(sessions, [connection.database]);
  const stream = await lines.open({ sql: 'select pg_backend_pid()::text', ...query });
  const next = Number((await stream?.read())?.toString());
  await stream?.close();
  assert.ok(next > 0 && !before_next.some((one) => one.pid === next));
});
