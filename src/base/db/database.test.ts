import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { startDatabaseProxy } from '../../../test/faults/bed/database-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { isStoreLost } from './batcher.ts';
import { isCommitted } from './commit-outcome.ts';
import { copyInto } from './copy-in.ts';
import { Database, type DatabaseOptions, type Queryable } from './database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ empty: true });
  const db = connect();
  await db.query('create table notes (id bigint generated always as identity primary key, text text unique)');
  await db.end();
});
after(async () => await database.drop());

function connect(options: Partial<DatabaseOptions> = {}): Database {
  const { connection } = database;
  return new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined, ...options });
}

function open(t: TestContext, options: Partial<DatabaseOptions> = {}): Database {
  const db = connect(options);
  t.after(async () => await db.end(0));
  return db;
}

const backend = { name: 'test.backend', text: 'select pg_backend_pid() as pid' };
const divide = { name: 'test.divide', text: 'select 6 / $1::int as value' };
const insert = { name: 'test.insert', text: 'insert into notes (text) values ($1) returning id' };

/** What a statement fails with when its connection goes, as far as the server or the socket got to say it. */
const lost = /^(57P01|08006|ECONNRESET|EPIPE)$/;

async function pidOf(db: Queryable, sql: string | typeof backend = backend.text): Promise<number> {
  const [row] = await db.query<{ pid: number }>(sql);
  return row?.pid ?? 0;
}

async function count(db: Queryable, text: string): Promise<unknown> {
  const [row] = await db.query<{ count: number }>('select count(*) from notes where text = $1', [text]);
  return row?.count;
}

test('a transaction is committed whole, and gives what its work gave', async (t) => {
  const db = open(t);
  const result = await db.transaction(async (tx) => {
    await tx.query(insert, ['committed 1']);
    await tx.query('insert into notes (text) values ($1)', ['committed 2']);
    assert.equal(await count(db, 'committed 1'), 0);
    return 'done';
  });
  assert.equal(result, 'done');
  assert.deepEqual([await count(db, 'committed 1'), await count(db, 'committed 2')], [1, 1]);
});

test('a transaction whose work throws leaves nothing behind, and its connection serves on', async (t) => {
  const db = open(t, { pool_size: 1 });
  const pid = await pidOf(db);
  const failures: [string, (tx: Queryable) => Promise<unknown>][] = [
    ['its own error', async () => await Promise.reject(new Error('its own error'))],
    ['division by zero', async (tx) => await tx.query('select 1 / 0')],
    ['duplicate key', async (tx) => await tx.query(insert, ['undone'])],
  ];
  for (const [message, fail] of failures) {
    const work = db.transaction(async (tx) => {
      await tx.query(insert, ['undone']);
      await fail(tx);
    });
    await assert.rejects(work, new RegExp(message));
    assert.equal(await count(db, 'undone'), 0);
  }
  assert.equal(await pidOf(db), pid);
});

test('a transaction that ignores the failure of a statement is not taken for committed', async (t) => {
  const db = open(t);
  const work = db.transaction(async (tx) => {
    await tx.query(insert, ['ignored']);
    await tx.query('select 1 / 0').catch(() => undefined);
  });
  await assert.rejects(work, /A failed statement was ignored: nothing was committed/);
  assert.equal(await count(db, 'ignored'), 0);
});

test('bulk inserts of a transaction are committed or rolled back with the rest of it', async (t) => {
  const db = open(t);
  const rows = copyInto<string>('notes', { text: (to, text) => to.text(text) });
  await db.transaction(async (tx) => {
    await tx.query(insert, ['kept 1']);
    await tx.write([rows(['kept 2', 'kept 3']), { sql: 'notify nobody' }, rows(['kept 4'])]);
    assert.equal(await count(db, 'kept 4'), 0);
    await tx.query(insert, ['kept 5']);
  });
  for (let n = 1; n <= 5; n += 1) assert.equal(await count(db, `kept ${n}`), 1);
  const undone = db.transaction(async (tx) => {
    await tx.write([rows(['undone 1'])]);
    await tx.write([rows(['undone 2', 'kept 1'])]);
  });
  await assert.rejects(undone, /duplicate key/);
  assert.deepEqual([await count(db, 'undone 1'), await count(db, 'undone 2')], [0, 0]);
});

test('a transaction cannot be used after its end', async (t) => {
  const db = open(t);
  const escaped = await db.transaction(async (tx) => ({ tx }));
  await assert.rejects(escaped.tx.query('select 1'), /This transaction is over/);
  await assert.rejects(escaped.tx.write([{ sql: 'select 1' }]), /This transaction is over/);
});

test('a failing statement costs no connection', async (t) => {
  const db = open(t, { pool_size: 1 });
  const pid = await pidOf(db);
  await assert.rejects(db.query('select 1 / 0'), /division by zero/);
  await assert.rejects(db.query('no sql'), /syntax error/);
  assert.equal(await pidOf(db), pid);
});

test('named statements share the pipelined connection, unnamed ones use the pool', async (t) => {
  const db = open(t, { pool_size: 1 });
  const [named, unnamed] = [await pidOf(db, backend), await pidOf(db)];
  assert.notEqual(named, unnamed);
  assert.deepEqual([await pidOf(db, backend), await pidOf(db)], [named, unnamed]);
  const prepared = { name: 'test.prepared', text: 'select name from pg_prepared_statements order by name' };
  await db.query(divide, [1]);
  assert.deepEqual(await db.query(prepared), [
    { name: 'test.backend' },
    { name: 'test.divide' },
    { name: 'test.prepared' },
  ]);
  assert.deepEqual(await db.query('select name from pg_prepared_statements'), []);
});

test('named statements work without a pipelined connection, and in a transaction', async (t) => {
  const db = open(t, { pipelines: 0 });
  assert.deepEqual(await db.query(divide, [2]), [{ value: 3 }]);
  assert.deepEqual(await db.transaction(async (tx) => await tx.query(divide, [3])), [{ value: 2 }]);
});

test('a failing statement does not affect statements sent with it', async (t) => {
  const db = open(t);
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const divisors = [1, 0, 2, 'x', 3, circular, 6];
  // Before the statement is prepared, while it is, and after.
  for (let round = 0; round < 3; round += 1) {
    const results = await Promise.allSettled([
      ...divisors.map(async (divisor) => await db.query(divide, [divisor])),
      pidOf(db, backend),
    ]);
    const outcomes = results.map((result) => result.status === 'fulfilled');
    assert.deepEqual(outcomes, [true, false, true, false, true, false, true, true], `round ${round}`);
    const values = results.flatMap((result) =>
      result.status === 'fulfilled' && Array.isArray(result.value) ? result.value : [],
    );
    assert.deepEqual(values, [{ value: 6 }, { value: 3 }, { value: 2 }, { value: 1 }]);
  }
});

test('a prepared statement that the server forgot is prepared again', async (t) => {
  const db = open(t);
  await db.query(divide, [1]);
  await db.query({ name: 'test.forget', text: 'deallocate all' });
  await assert.rejects(db.query(divide, [1]), { code: '26000' });
  assert.deepEqual(await db.query(divide, [1]), [{ value: 6 }]);
});

test('objects, lists of them, dates and bytes arrive as they are', async (t) => {
  const db = open(t);
  const values = [
    { a: [1] },
    [{ b: "x'" }, { c: null }],
    new Date(0),
    Buffer.from('bytes'),
    ['a', 'b"', null],
  ];
  const text =
    'select $1::jsonb as object, $2::jsonb[] as objects, $3::timestamptz as at, $4::bytea as bytes, $5::text[] as texts';
  for (const sql of [text, { name: 'test.values', text }]) {
    const [row] = await db.query(sql, values);
    assert.deepEqual(Object.values(row ?? {}), values);
  }
});

test('bigint and count are numbers, dates are dates, and the global parsers are untouched', async (t) => {
  const { types } = await import('pg');
  const db = open(t);
  const text = `select 9007199254740991::bigint as big, count(*), array[1, null]::bigint[] as list, 1.5::numeric as exact,
    '2026-01-02T03:04:05Z'::timestamptz as at`;
  for (const sql of [text, { name: 'test.types', text }]) {
    const [row] = await db.query(sql);
    const at = new Date('2026-01-02T03:04:05Z');
    assert.deepEqual(row, { big: Number.MAX_SAFE_INTEGER, count: 1, list: [1, null], exact: '1.5', at });
  }
  assert.equal(types.getTypeParser(types.builtins.INT8)('7'), '7');
});

test('after the server dropped every connection the next statements work again', async (t) => {
  const errors: Error[] = [];
  const db = open(t, { on_error: (error) => errors.push(error) });
  const other = open(t);
  const pids = [await pidOf(db), await pidOf(db, backend)];
  await other.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]);
  await waitFor(() => errors.length >= 2, { what: 'word of the lost connections' });
  const found = [await pidOf(db), await pidOf(db, backend)];
  assert.ok(found.every((pid) => pid > 0 && !pids.includes(pid)));
});

test('statements under way when the connection is lost fail as such, and those after them work', async (t) => {
  const db = open(t);
  const other = open(t);
  const sleep = { name: 'test.sleep', text: 'select pg_sleep(30)' };
  const pids = [await pidOf(db, backend)];
  const cut = [db.query(sleep), db.query(divide, [1]), db.query('select pg_sleep(30)')].map(async (query) => {
    const error = await query.then(
      () => undefined,
      (reason: unknown) => reason as { code: string },
    );
    return error?.code;
  });
  const sleeping =
    "select pid from pg_stat_activity where datname = current_database() and query ~ '^select pg_sleep'";
  await waitFor(async () => (await other.query(sleeping)).length === 2, { what: 'both to be under way' });
  await other.query(`select pg_terminate_backend(pid) from (${sleeping}) s`);
  for (const code of await Promise.all(cut)) assert.match(code ?? '', lost);
  assert.notEqual(await pidOf(db, backend), pids[0]);
  assert.ok(await pidOf(db));
});

test('a connection lost in the middle of a transaction fails it and nothing else', async (t) => {
  const db = open(t, { pool_size: 1 });
  const other = open(t);
  const work = db.transaction(async (tx) => {
    await tx.query(insert, ['lost']);
    const pid = await pidOf(tx);
    await other.query('select pg_terminate_backend($1)', [pid]);
    const gone = async () =>
      (await other.query('select from pg_stat_activity where pid = $1', [pid])).length === 0;
    await waitFor(gone, { what: 'the backend to end' });
    await tx.query('select 1');
  });
  await assert.rejects(work, (error: { code?: string }) => lost.test(error.code ?? ''));
  assert.equal(await count(db, 'lost'), 0);
});

test('a transaction whose answer was lost is looked up: it gives its result once if it stands, and fails if not', async (t) => {
  const proxy = await startDatabaseProxy(database.connection);
  t.after(async () => await proxy.stop());
  const db = open(t, { connection: proxy.connection });
  const other = open(t);
  const write = async (text: string): Promise<unknown> =>
    await db.transaction(async (tx) => (await tx.query(insert, [text])).length);
  const cutOnce = (): void => {
    const isFirst = proxy.cuts;
    proxy.rule = { isCut: (tags) => tags.includes('COMMIT') && proxy.cuts === isFirst };
  };
  cutOnce();
  assert.equal(await write('stands'), 1);
  assert.equal(await count(other, 'stands'), 1);
  // A deferred constraint fails during the commit.
  await other.query(
    'alter table notes add column parent bigint references notes (id) deferrable initially deferred',
  );
  await assert.rejects(
    db.transaction(async (tx) => await tx.query(`insert into notes (text, parent) values ('refused', 0)`)),
    { code: '23503' },
  );
  assert.equal(await count(other, 'refused'), 0);
  // Nothing was written: there is nothing to look up.
  cutOnce();
  await assert.rejects(
    db.transaction(async (tx) => await tx.query('select 1')),
    (error: { code?: string }) => lost.test(error.code ?? ''),
  );
});

test('a transaction of another timeline is not taken for the one that was lost', async (t) => {
  const db = open(t);
  const [row] = await db.query<{ xid: string; timeline: string }>(
    `select pg_current_xact_id()::text as xid, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`,
  );
  const ask: Parameters<typeof isCommitted>[0] = async ({ text, values }) => ({
    rows: await db.query(text, values),
  });
  const { signal } = new AbortController();
  assert.equal(await isCommitted(ask, row ?? assert.fail(), signal), true);
  assert.equal(await isCommitted(ask, { ...(row ?? assert.fail()), timeline: '000000FF' }, signal), false);
});

test('a server that is not there is told as such, at once, and found when it comes', async (t) => {
  const db = open(t, { connection: { ...database.connection, host: '/nonexistent' } });
  for (const sql of [backend, backend.text]) {
    await assert.rejects(db.query(sql), { code: 'ENOENT' });
    await assert.rejects(db.query(sql), { code: 'ENOENT' });
  }
});

test('a busy pool gives up on a caller after five seconds', async (t) => {
  const db = open(t, { pool_size: 1 });
  const release = Promise.withResolvers<void>();
  const holder = db.transaction(async () => await release.promise);
  await assert.rejects(db.query('select 1'), { code: '08006' });
  release.resolve();
  await holder;
  assert.ok(await pidOf(db));
});

test('end waits for what is under way', async () => {
  const db = connect();
  const slow = { name: 'test.slow', text: 'select 1 as value from pg_sleep(0.2)' };
  const answers = Promise.all([db.query(slow), db.query(slow.text)]);
  await new Promise((resolve) => setImmediate(resolve));
  await db.end();
  assert.deepEqual(await answers, [[{ value: 1 }], [{ value: 1 }]]);
});

test('end cuts what takes longer than it was given, and nothing connects afterwards', async () => {
  const db = connect();
  const forever = { name: 'test.forever', text: 'select pg_sleep(60)' };
  const cut = [forever, forever.text].map(async (sql) => {
    await assert.rejects(db.query(sql), { code: '08006' });
  });
  await pidOf(db);
  await db.end(50);
  await Promise.all(cut);
  await assert.rejects(db.query(backend), /The database was closed/);
  await assert.rejects(db.query(backend.text), { code: '08006' });
});

test('end cuts the statement of a connection that is opened only after it', async () => {
  const db = connect();
  const late = assert.rejects(db.query('select pg_sleep(60)'), { code: '08006' });
  await db.end(0);
  await late;
});

test('a connection that is refused counts as a database out of reach, whatever the reason', async (t) => {
  const { connection } = database;
  // The driver has no code for the first, and PostgreSQL has one of its own for the second.
  for (const refused of [{ ssl: true }, { database: 'missing' }]) {
    const db = open(t, { connection: { ...connection, ...refused } });
    await assert.rejects(db.query(backend), isStoreLost, JSON.stringify(refused));
    await assert.rejects(db.query(backend.text), isStoreLost, JSON.stringify(refused));
    await assert.rejects(db.batch(0, []), isStoreLost, JSON.stringify(refused));
  }
});
