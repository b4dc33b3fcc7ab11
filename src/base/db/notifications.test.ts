import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Database, type ConnectionSettings } from './database.ts';
import { createNotifications, type Notifications } from './notifications.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase({ empty: true });
  const { connection } = database;
  db = new Database({ connection, pool_size: 2, pipelines: 0, on_error: () => undefined });
});
after(async () => {
  await db.end();
  await database.drop();
});

interface Listening {
  notifications: Notifications;
  heard: string[];
  errors: Error[];
  gaps: () => number;
}

function prepare(t: TestContext, connection: ConnectionSettings = database.connection): Listening {
  const heard: string[] = [];
  const errors: Error[] = [];
  let gaps = 0;
  const notifications = createNotifications(connection, (error) => errors.push(error));
  notifications.onGap(() => (gaps += 1));
  t.after(async () => await notifications.stop());
  return { notifications, heard, errors, gaps: () => gaps };
}

/** Of this database: other tests listen on the same server. */
const sessions =
  "select pid from pg_stat_activity where datname = current_database() and application_name = 'chasqui listen'";

test('payloads arrive in order, at every listener of their channel and at no other', async (t) => {
  const { notifications, heard } = prepare(t);
  notifications.on('one', (payload) => heard.push(`first ${payload}`));
  notifications.on('one', (payload) => heard.push(`second ${payload}`));
  notifications.on('an "odd" channel', (payload) => heard.push(`odd ${payload}`));
  await notifications.start();
  for (const [channel, payload] of [
    ['one', 'a'],
    ['unheard', 'b'],
    ['an "odd" channel', ''],
    ['one', 'd'],
  ]) {
    await db.query('select pg_notify($1, $2)', [channel, payload]);
  }
  await waitFor(() => heard.length === 5, { what: () => `five payloads, not ${heard.join()}` });
  assert.deepEqual(heard, ['first a', 'second a', 'odd ', 'first d', 'second d']);
});

test('a listener is notified of a change with its commit, and never of one that was rolled back', async (t) => {
  const { notifications, heard } = prepare(t);
  notifications.on('one', (payload) => heard.push(payload));
  await notifications.start();
  await db
    .transaction(async (tx) => {
      await tx.query("select pg_notify('one', 'undone')");
      throw new Error('undo');
    })
    .catch(() => undefined);
  await db.transaction(async (tx) => {
    await tx.query("select pg_notify('one', 'committed')");
    await db.query('select 1');
    assert.deepEqual(heard, []);
  });
  await waitFor(() => heard.length > 0);
  assert.deepEqual(heard, ['committed']);
});

test('after its backend is ended it connects again, tells of the gap, and hears on', async (t) => {
  const { notifications, heard, errors, gaps } = prepare(t);
  notifications.on('one', (payload) => heard.push(payload));
  await notifications.start();
  assert.equal(gaps(), 0);
  for (let round = 1; round <= 2; round += 1) {
    await db.query(`select pg_terminate_backend(pid) from (${sessions}) s`);
    await waitFor(() => gaps() === round, { what: 'word of the gap' });
    assert.equal(errors.length, round);
    await db.query("select pg_notify('one', $1)", [`round ${round}`]);
    await waitFor(() => heard.length === round, { what: 'the payload' });
  }
  assert.deepEqual(heard, ['round 1', 'round 2']);
});

test('a listener that throws is reported and does not disturb others', async (t) => {
  const { notifications, heard, errors } = prepare(t);
  notifications.on('one', () => {
    throw new Error('bug');
  });
  notifications.on('one', (payload) => heard.push(payload));
  await notifications.start();
  await db.query("select pg_notify('one', 'a'), pg_notify('one', 'b')");
  await waitFor(() => heard.length === 2);
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['bug', 'bug'],
  );
});

test('a server that is not there fails the start, and nothing goes on in the background', async (t) => {
  const { notifications, errors } = prepare(t, { ...database.connection, host: '/nonexistent' });
  notifications.on('one', () => undefined);
  await assert.rejects(notifications.start(), { code: 'ENOENT' });
  assert.deepEqual(errors, []);
});

test('stopped while it is connecting again, it leaves no session behind', async (t) => {
  const { notifications, errors } = prepare(t);
  notifications.on('one', () => undefined);
  await notifications.start();
  await db.query(`select pg_terminate_backend(pid) from (${sessions}) s`);
  await waitFor(() => errors.length > 0);
  await notifications.stop();
  await waitFor(async () => (await db.query(sessions)).length === 0, { what: 'the end of the session' });
});

test('a channel named after the start is a mistake that is told', async (t) => {
  const { notifications } = prepare(t);
  await notifications.start();
  assert.throws(() => notifications.on('late', () => undefined), /Listen on late before/);
});
