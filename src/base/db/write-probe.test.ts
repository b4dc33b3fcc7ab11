import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { holdProcessTime } from '../../../test/support/hold-process-time.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createWriteProbe, type WriteProbe } from './write-probe.ts';

let database: TestDatabase;
let admin: Client;
before(async () => {
  database = await createTestDatabase();
  admin = new Client(database.connection);
  await admin.connect();
});
after(async () => {
  await admin.end();
  await database.drop();
});

function open(t: TestContext, connection = database.connection): WriteProbe {
  const probe = createWriteProbe({ connection, on_error: () => undefined });
  t.after(async () => await probe.end());
  return probe;
}

async function bytes(): Promise<number> {
  const { rows } = await admin.query<{ size: string }>("select pg_relation_size('write_probes') as size");
  return Number(rows[0]?.size);
}

/** Asks until the answer is of a new write: those in between are of the last one. */
async function detailOf(probe: WriteProbe): Promise<string | undefined> {
  return await probe.check().then(
    () => undefined,
    (error: Error) => error.message,
  );
}

test('a probe that is ended does not report its connection as lost', async () => {
  const errors: string[] = [];
  const on_error = ({ message }: Error): void => void errors.push(message);
  const probe = createWriteProbe({ connection: database.connection, on_error });
  await probe.check();
  const sessions = `select from pg_stat_activity
    where datname = current_database() and application_name = 'chasqui readiness'`;
  assert.equal((await admin.query(sessions)).rowCount, 1);
  await probe.end();
  await waitFor(async () => (await admin.query(sessions)).rowCount === 0, { what: 'the end of its session' });
  assert.deepEqual(errors, []);
});

test('each write takes new space, and many questions are one write', async (t) => {
  const probe = open(t);
  const sizes = [await bytes()];
  for (let round = 0; round < 2; round += 1) {
    await waitFor(async () => {
      await Promise.all(Array.from({ length: 50 }, async () => await probe.check()));
      return (await bytes()) > (sizes.at(-1) ?? 0);
    });
    sizes.push(await bytes());
  }
  const [first = 0, second = 0, third = 0] = sizes;
  assert.deepEqual([second - first, third - second], [65_536, 65_536]);
});

test('questions of one second are answered by its write', async (t) => {
  holdProcessTime(t);
  const probe = open(t);
  await probe.check();
  const size = await bytes();
  for (let question = 1; question <= 3; question += 1) await probe.check();
  assert.equal(await bytes(), size);
});

test('empties the table when it has grown, without waiting', async (t) => {
  await admin.query("insert into write_probes select repeat('x', 400) from generate_series(1, 2100)");
  const grown = await bytes();
  assert.ok(grown > 16 * 1024 * 1024);
  const reader = new Client(database.connection);
  await reader.connect();
  t.after(async () => await reader.end());
  await reader.query('begin; select count(*) from write_probes');
  // Waiting would fail after two seconds.
  await open(t).check();
  assert.ok((await bytes()) > grown);
  await reader.query('commit');
  await open(t).check();
  assert.equal(await bytes(), 0);
});

test('a read-only database is named as such, and found to be well again', async (t) => {
  const probe = open(t);
  const { database: name } = database.connection;
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  assert.equal(await detailOf(probe), 'The database is read-only.');
  await admin.query(`alter database ${name} reset default_transaction_read_only`);
  await waitFor(async () => (await detailOf(probe)) === undefined);
});

test('a write that does not end is given up after two seconds', async (t) => {
  const probe = open(t);
  await admin.query('begin; lock table write_probes in exclusive mode');
  const began = performance.now();
  assert.equal(await detailOf(probe), 'The database did not finish a write within 2 s.');
  assert.ok(performance.now() - began < 10_000);
  await admin.query('commit');
  await waitFor(async () => (await detailOf(probe)) === undefined);
});

test('a database that is not there is named as such, without its address', async (t) => {
  const probe = open(t, { ...database.connection, host: '/nonexistent' });
  assert.equal(await detailOf(probe), 'The database cannot be reached.');
});
