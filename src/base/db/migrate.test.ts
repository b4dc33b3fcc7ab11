import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { migrate, requireServerVersion, type MigrationProgress } from './migrate.ts';

interface Bed {
  database: TestDatabase;
  write(name: string, sql: string): Promise<void>;
  remove(name: string): Promise<void>;
  migrate(options?: Parameters<typeof migrate>[2]): Promise<{ applied: string[] }>;
  /** The first column of the rows. */
  column(sql: string): Promise<unknown[]>;
}

/** An empty database and an empty folder of migrations. */
async function makeBed(t: TestContext): Promise<Bed> {
  const database = await createTestDatabase({ empty: true });
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-migrations-'));
  t.after(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    database,
    write: async (name, sql) => await writeFile(path.join(folder, name), sql),
    remove: async (name) => await rm(path.join(folder, name)),
    migrate: async (options) => await migrate(database.connection, folder, options),
    async column(sql) {
      const client = new Client(database.connection);
      await client.connect();
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
      await client.end();
      return rows.map(([value]) => value);
    },
  };
}

const tables = "select tablename from pg_tables where schemaname = 'public' order by tablename";

test('files run in the order of their numbers, and a second run finds nothing to do', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0002_letters__fill.sql', "insert into letters values ('b')");
  await bed.write(
    '0001_letters__create.sql',
    "create table letters (c text); insert into letters values ('a');",
  );
  await bed.write('notes.txt', 'no migration');
  assert.deepEqual(await bed.migrate(), {
    applied: ['0001_letters__create.sql', '0002_letters__fill.sql'],
  });
  assert.deepEqual(await bed.column('select c from letters'), ['a', 'b']);
  assert.deepEqual(await bed.migrate(), { applied: [] });
  await bed.write('0003_letters__more.sql', "insert into letters values ('c')");
  assert.deepEqual(await bed.migrate(), { applied: ['0003_letters__more.sql'] });
  assert.deepEqual(await bed.column('select c from letters'), ['a', 'b', 'c']);
});

test('a file that was changed after it ran is refused, and nothing after it runs', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_one.sql', 'create table one ()');
  await bed.migrate();
  await bed.write('0001_one.sql', 'create table one (id int)');
  await bed.write('0002_two.sql', 'create table two ()');
  await assert.rejects(bed.migrate(), /^Error: Migration 0001_one\.sql was changed after it ran\./);
  assert.deepEqual(await bed.column(tables), ['one', 'schema_migrations']);
});

test('a database that a newer version has used is refused', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_one.sql', 'create table one ()');
  await bed.write('0002_two.sql', 'create table two ()');
  await bed.migrate();
  await bed.remove('0002_two.sql');
  await assert.rejects(
    bed.migrate(),
    /^Error: The database has migration 0002_two\.sql, which this version does not know/,
  );
});

test('a new file with a number below one that ran is refused', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0002_two.sql', 'create table two ()');
  await bed.migrate();
  await bed.write('0001_one.sql', 'create table one ()');
  await assert.rejects(
    bed.migrate(),
    /^Error: Migration 0001_one\.sql comes before 0002_two\.sql, which ran already/,
  );
  assert.deepEqual(await bed.column(tables), ['schema_migrations', 'two']);
});

test('a failing file is undone whole and named with its line, and the files before it stay', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_one.sql', 'create table one ();');
  await bed.write('0002_two.sql', 'create table two ();\n\ncreate table three (id no_such_type);\n');
  await bed.write('0003_four.sql', 'create table four ();');
  await assert.rejects(
    bed.migrate(),
    /^Error: Migration 0002_two\.sql failed at line 3: type "no_such_type" does not exist/,
  );
  assert.deepEqual(await bed.column(tables), ['one', 'schema_migrations']);
  assert.deepEqual(await bed.column('select name from schema_migrations'), ['0001_one.sql']);
  await bed.write('0002_two.sql', 'create table two ();');
  assert.deepEqual(await bed.migrate(), { applied: ['0002_two.sql', '0003_four.sql'] });
});

test('one of the nodes that start together applies each file and the others wait for it', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_one.sql', 'create table one (); select pg_sleep(0.2);');
  await bed.write('0002_two.sql', 'create table two ();');
  const results = await Promise.all([1, 2, 3, 4].map(async () => await bed.migrate()));
  assert.deepEqual(
    results.map(({ applied }) => applied.length).toSorted((a, b) => a - b),
    [0, 0, 0, 2],
  );
  assert.deepEqual(await bed.column('select name from schema_migrations order by name'), [
    '0001_one.sql',
    '0002_two.sql',
  ]);
});

/** A second session that has the table open, as a long report has. */
async function read(t: TestContext, bed: Bed, table: string): Promise<{ close(): Promise<void> }> {
  const reader = new Client(bed.database.connection);
  reader.on('error', () => undefined);
  await reader.connect();
  await reader.query(`begin; select count(*) from ${table}`);
  const close = async (): Promise<void> => await reader.end();
  t.after(close);
  return { close };
}

test('a migration that waits for a reader lets writers pass, says so, and is done when the reader is', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_one.sql', 'create table one (id int)');
  await bed.migrate();
  await bed.write('0002_one__add.sql', 'create table two (); alter table one add column text text');
  const reader = await read(t, bed, 'one');
  const seen: MigrationProgress[] = [];
  const migrating = bed.migrate({ on_progress: (progress) => seen.push(progress) });
  const waits: number[] = [];
  // Through two attempts and the pauses after them.
  while (seen.length < 2) {
    const began = performance.now();
    await bed.column('insert into one (id) values (1) returning id');
    waits.push(performance.now() - began);
  }
  const longest = Math.max(...waits);
  t.diagnostic(`${waits.length} inserts, the longest took ${Math.round(longest)} ms`);
  assert.ok(longest > 1_000, 'one of them queued behind the migration');
  assert.ok(longest < 10_000, `${longest} ms`);
  await reader.close();
  assert.deepEqual(await migrating, { applied: ['0002_one__add.sql'] });
  const [first] = seen;
  assert.equal(first?.kind, 'waiting');
  assert.match(first.oldest_transaction, /^pid \d+ of \S+, idle in transaction, open for \d+ s$/);
  assert.equal(seen.at(-1)?.kind, 'applied');
});

test('a migration that never gets its lock is given up, and has changed nothing', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_one.sql', 'create table one (id int)');
  await bed.migrate();
  await bed.write('0002_one__add.sql', 'create table two (); alter table one add column text text');
  await read(t, bed, 'one');
  await assert.rejects(
    bed.migrate({ give_up_after_ms: 1 }),
    /^Error: Migration 0002_one__add\.sql failed: .* lock timeout\. It waited 2 s for a lock; the oldest open transaction is pid /,
  );
  assert.deepEqual(await bed.column(tables), ['one', 'schema_migrations']);
});

test('a migration that is the victim of a deadlock is tried again', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_both.sql', 'create table one (); create table two ();');
  await bed.migrate();
  await bed.write(
    '0002_both__add.sql',
    'alter table two add column id int; alter table one add column id int',
  );
  const other = new Client(bed.database.connection);
  await other.connect();
  // So that it is the migration that finds the deadlock.
  await other.query("set deadlock_timeout = '1min'; begin; lock table one");
  const seen: MigrationProgress[] = [];
  const migrating = bed.migrate({ on_progress: (progress) => seen.push(progress) });
  const waiting = `select pid from pg_locks join pg_database d on d.oid = database
    where datname = current_database() and relation = 'one'::regclass and not granted`;
  const isWaiting = async (): Promise<boolean> => (await bed.column(waiting)).length > 0;
  await waitFor(isWaiting, { what: 'the migration that waits for the first table' });
  await other.query('lock table two; commit');
  await other.end();
  assert.deepEqual(await migrating, { applied: ['0002_both__add.sql'] });
  assert.deepEqual(
    seen.map(({ kind }) => kind),
    ['waiting', 'applied'],
  );
});

test('a connection lost in the middle of a file is an error, and the next run completes the work', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_one.sql', 'create table one (); select pg_terminate_backend(pg_backend_pid());');
  await assert.rejects(bed.migrate(), /Migration 0001_one\.sql failed/);
  await bed.write('0001_one.sql', 'create table one ();');
  assert.deepEqual(await bed.migrate(), { applied: ['0001_one.sql'] });
});

test('timeouts that a database has by default do not end a migration', async (t) => {
  const bed = await makeBed(t);
  await bed.column(
    `do $$ begin execute format('alter database %I set statement_timeout = %L', current_database(), '300ms'); end $$`,
  );
  await bed.write('0001_slow.sql', 'select pg_sleep(0.5); create table slow ()');
  assert.deepEqual((await bed.migrate()).applied, ['0001_slow.sql']);
});

test('a server older than PostgreSQL 15 is refused with its version', () => {
  assert.throws(
    () => requireServerVersion(140_018),
    /^Error: PostgreSQL 15 or newer is needed; this server is 14\.$/,
  );
  requireServerVersion(150_000);
});

const concurrently = `-- migrate: concurrently
-- Why.
create index concurrently if not exists letters_c on letters (c);
create index concurrently if not exists letters_d on letters (d);
`;
const indexes = `select indexrelid::regclass::text || case when indisvalid then '' else ' is invalid' end
  from pg_index where indrelid = 'letters'::regclass order by 1`;

/** A database with rows, and a writer whose open transaction an index has to wait for. */
async function makeLetters(t: TestContext): Promise<{ bed: Bed; writer: Client }> {
  const bed = await makeBed(t);
  await bed.write('0001_letters__create.sql', 'create table letters (c text, d text)');
  await bed.migrate();
  const writer = new Client(bed.database.connection);
  await writer.connect();
  // The database is dropped first.
  writer.on('error', () => undefined);
  t.after(async () => await writer.end());
  await writer.query("begin; insert into letters values ('a', 'b')");
  await bed.write('0002_letters__index.sql', concurrently);
  return { bed, writer };
}

const builders = `select pid from pg_stat_progress_create_index where relid = 'letters'::regclass`;

test('an index is built without blocking writers, and its progress is told', async (t) => {
  const { bed, writer } = await makeLetters(t);
  const seen: MigrationProgress[] = [];
  const migrating = bed.migrate({ on_progress: (progress) => seen.push(progress), progress_every_ms: 5 });
  await waitFor(() => seen.some(({ kind }) => kind === 'building'), { what: 'the progress' });
  assert.equal((await bed.column("insert into letters values ('c', 'd') returning c")).length, 1);
  await writer.query('commit');
  assert.deepEqual(await migrating, { applied: ['0002_letters__index.sql'] });
  assert.deepEqual(await bed.column(indexes), ['letters_c', 'letters_d']);
  const told = seen.find((progress) => progress.kind === 'building');
  assert.deepEqual([told?.name, told?.index], ['0002_letters__index.sql', 'letters_c']);
  assert.match(told?.phase ?? '', /waiting|building|initializing/);
  assert.deepEqual(await bed.migrate(), { applied: [] });
});

test('a migration that was killed half way goes on with the index that is not whole', async (t) => {
  const { bed, writer } = await makeLetters(t);
  const killed = assert.rejects(bed.migrate(), /0002_letters__index\.sql failed/);
  const [pid] = await waitFor(
    async () => {
      const pids = await bed.column(builders);
      return pids.length > 0 && pids;
    },
    { what: 'the build' },
  );
  await bed.column(`select pg_terminate_backend(${Number(pid)})`);
  await killed;
  assert.match((await bed.column(indexes)).join(), /is invalid/);
  await writer.query('commit');
  assert.deepEqual(await bed.migrate(), { applied: ['0002_letters__index.sql'] });
  assert.deepEqual(await bed.column(indexes), ['letters_c', 'letters_d']);
});

test('a migration without a transaction has only statements that can be repeated', async (t) => {
  const bed = await makeBed(t);
  await bed.write('0001_letters__create.sql', 'create table letters (c text, d text)');
  for (const statement of [
    'create index concurrently letters_c on letters (c)',
    'update letters set c = d',
  ]) {
    await bed.write('0002_letters__index.sql', `-- migrate: concurrently\n${statement};\n`);
    await assert.rejects(bed.migrate(), /may only have "create index concurrently if not exists"/);
  }
});
