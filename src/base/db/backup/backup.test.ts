import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { Database } from '../database.ts';
import { describeSchema } from '../../../../test/support/describe-schema.ts';
import { readMigrations } from '../migrations.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { checkArchive, loadBackup, migrationsOf, type Archive } from './load-backup.ts';
import { listTables } from './list-tables.ts';
import { writeBackup } from './write-backup.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const migrations = await readMigrations(path.join(root, 'migrations'));
const folder = mkdtempSync(path.join(tmpdir(), 'chq-backup-'));
const file = path.join(folder, 'backup.tar');
let source: TestDatabase;
let client: Client;

async function connect(database: TestDatabase): Promise<Client> {
  const opened = new Client(database.connection);
  // Databases are dropped with their sessions.
  opened.on('error', () => undefined);
  await opened.connect();
  return opened;
}

/** A month that no fresh installation has, rows of several parts, and whatever COPY has to escape. */
const content = `
  insert into instances (slug, name) values ('acme', E'tab\\t line\\n back\\\\slash \\\\N \\\\. ñ 🦙');
  delete from instances where slug = 'acme';
  insert into instances (slug, name) values ('acme', E'tab\\t line\\n back\\\\slash \\\\N \\\\. ñ 🦙');
  create table messages_2020_03 (like messages including all);
  alter table messages attach partition messages_2020_03
    for values from (uuid_at('2020-03-01Z')) to (uuid_at('2020-04-01Z'));
  create table events_2019_01 (like events including all);
  insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes, content_kind,
    envelope, raw)
  select overlay(uuid_at('2020-03-05Z')::text placing lpad(n::text, 12, '0') from 25)::uuid, i.id, 1, 'http', 'broadcast',
    false, 1, 3, 'raw', jsonb_build_object('n', n, 'text', E'a\\tb'), decode(repeat('00ff5c0a', 60000), 'hex')
  from generate_series(1, 20) n, instances i`;

before(async () => {
  source = await createTestDatabase();
  client = await connect(source);
  await client.query(content);
  await backUp(file);
});
after(async () => {
  await client.end();
  await source.drop();
  rmSync(folder, { recursive: true });
});

/** Somebody else commits once its snapshot is taken. */
async function backUp(to: string): Promise<void> {
  const bytes: Buffer[] = [];
  const writer = new ArchiveWriter(async (more) => {
    if (bytes.length === 0) await client.query(`insert into instances (slug, name) values ('late', 'Late')`);
    bytes.push(more);
  });
  await writeBackup({ connection: source.connection, writer, version: '1.2.3', secret: 'the secret' });
  await client.query(`delete from instances where slug = 'late'`);
  await writeFile(to, Buffer.concat(bytes));
}

async function makeTarget(t: TestContext): Promise<{ database: TestDatabase; target: Client }> {
  const database = await createTestDatabase({ empty: true });
  const target = await connect(database);
  t.after(async () => {
    await target.end();
    await database.drop();
  });
  return { database, target };
}

type Verify = Parameters<typeof loadBackup>[0]['verify'];
async function load(
  { connection }: TestDatabase,
  archive: Archive,
  verify: Verify = async () => {},
): Promise<void> {
  await loadBackup({ connection, archive, migrations, verify });
}

async function rowsOf(on: Client): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name } of await listTables(on)) {
    const { rows } = await on.query<{ rows: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as rows from "${name}" t`,
    );
    if (rows[0]?.rows !== '0 ') found[name] = rows[0]?.rows ?? '';
  }
  return found;
}

async function isEmpty(on: Client): Promise<boolean> {
  const { rowCount } = await on.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
  return rowCount === 0;
}

async function schemaOf({ connection }: TestDatabase): Promise<string[]> {
  const db = new Database({ connection, pool_size: 1, pipelines: 1, on_error: () => undefined });
  const text = await describeSchema(db);
  await db.end();
  return text.split('\n');
}

test('a restored database has the rows of one snapshot, the schema, the months and the next ids of the other', async (t) => {
  const archive = await checkArchive(file);
  assert.equal(archive.secret, 'the secret');
  const { database, target } = await makeTarget(t);
  await load(database, archive);
  const rows = await rowsOf(target);
  assert.deepEqual(rows, await rowsOf(client));
  assert.match(rows['messages_2020_03'] ?? '', /^20 /);
  const schema = await readFile(path.resolve(root, 'database/schema.sql'), 'utf8');
  assert.deepEqual(await schemaOf(database), schema.split('\n'));
  assert.equal('events_2019_01' in archive.rows, false, 'a month that retention takes away');
  const next = `insert into instances (slug, name) values ('next', 'Next') returning id`;
  // The late one has an id too.
  assert.deepEqual((await target.query(next)).rows, [{ id: '3' }]);
  // Triggers and keys are on again.
  await assert.rejects(
    target.query(
      'insert into api_keys (id, instance_id, name, token_hash, scopes) values ' +
        `(repeat('a', 16), -1, 'x', decode(repeat('00', 32), 'hex'), '{x}')`,
    ),
    /foreign key/,
  );
  await assert.rejects(target.query('truncate consent_rules'), /evidence/);
});

test('a file that is cut off, altered or continued is refused', async () => {
  const whole = await readFile(file);
  const damaged = path.join(folder, 'damaged.tar');
  const cuts = [0, 1, 511, 512, 700, 5_000, whole.length >> 1, whole.length - 1024, whole.length - 1];
  for (const length of cuts) {
    await writeFile(damaged, whole);
    await truncate(damaged, length);
    await assert.rejects(checkArchive(damaged), /incomplete|not a backup/, `cut at ${length}`);
  }
  const step = Math.max(1, Math.floor(whole.length / 150));
  for (let at = 0; at < whole.length; at += step) {
    const copy = Buffer.from(whole);
    copy[at] = (copy[at] ?? 0) ^ 0x10;
    await writeFile(damaged, copy);
    await assert.rejects(checkArchive(damaged), /damaged|incomplete|not a backup|format/, `altered at ${at}`);
  }
  await writeFile(damaged, Buffer.concat([whole, Buffer.from('more')]));
  await assert.rejects(checkArchive(damaged), /damaged/);
});

test('a backup that is stopped ends there', async () => {
  const stopped = new AbortController();
  const written: number[] = [];
  const writer = new ArchiveWriter(async (bytes) => void written.push(bytes.length));
  const backup = writeBackup({
    connection: source.connection,
    writer,
    version: '1',
    signal: stopped.signal,
    on_progress: ({ table, done_bytes, total_bytes }) => {
      assert.ok(done_bytes <= total_bytes);
      if (table === 'messages_2020_03') stopped.abort(new Error('stopped by a person'));
    },
  });
  await assert.rejects(backup, /stopped by a person/);
  const sessions = `select from pg_stat_activity
    where datname = current_database() and application_name = 'chasqui backup'`;
  await waitFor(async () => (await client.query(sessions)).rowCount === 0, {
    what: 'the end of its session',
  });
});

test('a backup that is stopped does not wait for a migration, or for a table that is locked', async (t) => {
  const holder = await connect(source);
  t.after(async () => await holder.end());
  for (const hold of ["select pg_advisory_lock(x'636871'::int)", 'begin; lock table instances']) {
    await holder.query(hold);
    const stopped = new AbortController();
    const writer = new ArchiveWriter(async () => undefined);
    const { connection } = source;
    const backup = writeBackup({ connection, writer, version: '1', signal: stopped.signal });
    const began = `select from pg_stat_activity
      where datname = current_database() and application_name = 'chasqui backup' and (query ~ 'try_advisory' or wait_event_type = 'Lock')`;
    await waitFor(async () => (await client.query(began)).rowCount === 1, { what: 'the backup to wait' });
    stopped.abort(new Error('stopped by a person'));
    await assert.rejects(backup, /stopped by a person/);
    await holder.query('select pg_advisory_unlock_all()');
  }
});

test('formats and schemas that this version does not know are refused', async () => {
  const { manifest } = await checkArchive(file);
  const strange = async (change: object): Promise<void> => {
    const bytes: Buffer[] = [];
    const writer = new ArchiveWriter(async (more) => void bytes.push(more));
    await writer.add('manifest.json', Buffer.from(JSON.stringify({ ...manifest, ...change })));
    await writer.add('summary.json', Buffer.from('{"rows":{}}'));
    await writer.finish();
    const other = path.join(folder, 'other.tar');
    await writeFile(other, Buffer.concat(bytes));
    await checkArchive(other);
  };
  await strange({});
  await assert.rejects(strange({ format: 'tar' }), /not a backup of Chasqui/);
  await assert.rejects(strange({ version: 2 }), /format 2 and this version reads only format 1/);
  await assert.rejects(strange({ tables: [{ name: 'x"; drop', parent: null, columns: ['a'] }] }), /damaged/);
  const newer = { ...manifest, chasqui: '9.0.0', migrations: [{ name: '9999_x__y.sql', checksum: 'x' }] };
  assert.throws(() => migrationsOf(newer, migrations), /made by version 9\.0\.0.*9999_x__y\.sql/);
});

test('a database that is not empty is refused and stays as it is', async (t) => {
  const { database, target } = await makeTarget(t);
  await target.query('create table theirs (id int); insert into theirs values (1)');
  await assert.rejects(load(database, await checkArchive(file)), /not empty \(it has theirs\)/);
  assert.deepEqual((await target.query('select id from theirs')).rows, [{ id: 1 }]);
  assert.equal((await listTables(target)).length, 1);
});

test('a verification may ask several things at once, without a warning to the operator', async (t) => {
  const { database } = await makeTarget(t);
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  let answers: unknown[] = [];
  await load(database, await checkArchive(file), async (db) => {
    const asked = [1, 2, 3].map(async (n) => (await db.query(`select ${n} as n`))[0]?.['n']);
    answers = await Promise.all(asked);
  });
  assert.deepEqual({ answers, warnings }, { answers: [1, 2, 3], warnings: [] });
});

test('a restore that fails leaves nothing behind, and a later version migrates what it restores', async (t) => {
  const archive = await checkArchive(file);
  const { database, target } = await makeTarget(t);
  const refuse = async (): Promise<void> => await Promise.reject(new Error('not as it was'));
  await assert.rejects(load(database, archive, refuse), /not as it was/);
  assert.ok(await isEmpty(target));
  const short = { ...archive, rows: { ...archive.rows, instances: 7 } };
  await assert.rejects(load(database, short), /instances has 1 of its 7 rows/);
  assert.ok(await isEmpty(target));
  // And this code has a migration that the one that made the backup had not.
  const later = { name: '9999_later__create.sql', text: 'create table later as select slug from instances' };
  await loadBackup({
    connection: database.connection,
    archive,
    migrations: [...migrations, { ...later, checksum: 'x' }],
    verify: async (db) => assert.deepEqual(await db.query('select slug from later'), [{ slug: 'acme' }]),
  });
  const { rows } = await target.query('select name from schema_migrations order by name desc limit 1');
  assert.deepEqual(rows, [{ name: later.name }]);
});
