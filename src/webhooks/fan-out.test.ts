import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test, type TestContext } from 'node:test';
import { Client, type ClientConfig } from 'pg';
import { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { IdSequence } from '../base/ids.ts';
import { createLog } from '../base/log.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { eventTimeoutMs } from './webhook-bed.fixture.ts';
import { createFanOutLoop } from './fan-out-loop.ts';
import { fanOut, skipAhead } from './fan-out.ts';
import { renumberRestoredEvents } from './restored-events.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 4,
    pipelines: 1,
    on_error: () => undefined,
  });
  await db.query(`insert into instances (slug, name) values ('webhooks', 'Webhooks')`);
});
after(async () => {
  await db.end();
  await database.drop();
});

const now = new Date();

async function addWebhook(): Promise<void> {
  await db.query(
    `insert into webhooks (instance_id, name, url, is_active, active_since, secret, counted_since, created_at, updated_at)
     select id, 'w', 'https://example.com', true, $1, '', $1, $1, $1 from instances`,
    [now],
  );
}

async function addEvents(number: number): Promise<void> {
  await db.query(
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event)
     select uuid_at(clock_timestamp() + n * interval '1 s'), gen_random_uuid(), gen_random_uuid(), i.id, clock_timestamp(), 'sent'
     from generate_series(1, $1) as n, instances i`,
    [number],
  );
}

test('events are skipped while no webhook is active, and read again from the first active one on', async () => {
  /** Other tests' transactions on the same server hold events back too. */
  const take = async (max_events: number) =>
    await waitFor(
      async () => {
        const { is_held_back, ...taken } = await fanOut(db, { max_events, now });
        return (!is_held_back || taken.events > 0) && taken;
      },
      { timeout_ms: eventTimeoutMs, what: 'the end of earlier transactions' },
    );
  await addEvents(50);
  await waitFor(
    async () => {
      await skipAhead(db);
      const [row] = await db.query<{ behind: number }>(
        'select count(*) as behind from events e, webhook_cursor c where e.txid >= c.txid',
      );
      return row?.behind === 0;
    },
    { timeout_ms: eventTimeoutMs, what: 'the cursor to be ahead' },
  );
  await addWebhook();
  assert.deepEqual(await take(1000), { events: 0, deliveries: 0 });
  await addEvents(3);
  await skipAhead(db);
  assert.deepEqual(
    await take(2),
    { events: 2, deliveries: 2 },
    'an active webhook keeps the cursor where it is',
  );
  assert.deepEqual(await take(2), { events: 1, deliveries: 1 });
  assert.deepEqual(await take(2), { events: 0, deliveries: 0 });
});

test('after a restore into another server undelivered events are delivered, and none twice', async () => {
  await db.query('truncate webhook_deliveries');
  await db.query('truncate events');
  await addEvents(4);
  // As a dump brings them: numbers of transactions that are yet to come here, two events behind the cursor.
  await db.query(`update events set txid = '9000000'`);
  const ids = await db.query<{ event_id: string }>('select event_id from events order by event_id');
  await db.query(`update webhook_cursor set txid = '9000000', event_id = $1`, [ids[1]?.event_id]);
  await renumberRestoredEvents(db);
  await renumberRestoredEvents(db);
  await addEvents(1);
  const taken = async (): Promise<string[]> =>
    (await db.query<{ event_id: string }>('select event_id from webhook_deliveries order by event_id')).map(
      ({ event_id }) => event_id,
    );
  await waitFor(
    async () => {
      await fanOut(db, { max_events: 100, now });
      return (await taken()).length >= 3;
    },
    { timeout_ms: eventTimeoutMs, what: 'what had not been told' },
  );
  const takenIds = await taken();
  const old = ids.map(({ event_id }) => event_id);
  assert.deepEqual(
    takenIds.filter((id) => old.includes(id)),
    old.slice(2),
  );
  assert.equal(takenIds.length, 3);
});

test('events written while a node starts are not mistaken for restored ones', async () => {
  const cursorOf = async () => await db.query('select txid::text, event_id from webhook_cursor');
  await renumberRestoredEvents(db);
  const cursor = await cursorOf();
  let isOver = false;
  const ids = new IdSequence();
  const writing = (async () => {
    while (!isOver) {
      await db.query(
        `insert into events (event_id, mail_id, msg_id, instance_id, at, event)
         select $1, gen_random_uuid(), gen_random_uuid(), id, now(), 'sent' from instances`,
        [ids.next(new Date())],
      );
    }
  })();
  // They come between its statements sooner or later: without the horizon, soon.
  for (let start = 0; start < 200; start += 1) await renumberRestoredEvents(db);
  isOver = true;
  await writing;
  assert.deepEqual(await cursorOf(), cursor);
});

const unread = async (): Promise<number> => {
  const [row] = await db.query<{ count: number }>(
    'select count(*) from events e, webhook_cursor c where (e.txid, e.event_id) > (c.txid, c.event_id)',
  );
  return row?.count ?? -1;
};

/** A transaction that has written, and stays open. */
async function openTransaction(t: TestContext, connection: ClientConfig): Promise<Client> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  t.after(async () => await client.end());
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  return client;
}

/** Another database of the same server. */
async function otherDatabase(t: TestContext): Promise<ClientConfig> {
  const name = `other_${randomBytes(6).toString('hex')}`;
  await db.query(`create database ${name}`);
  t.after(async () => await db.query(`drop database ${name} (force)`));
  return { ...database.connection, database: name };
}

async function fanOutAll(): Promise<void> {
  await waitFor(
    async () => {
      await fanOut(db, { max_events: 100, now, behind: 'writers' });
      return (await unread()) === 0;
    },
    { timeout_ms: eventTimeoutMs, what: 'the deliveries' },
  );
}

test('a long transaction of another database holds nothing back', async (t) => {
  await fanOutAll();
  await openTransaction(t, await otherDatabase(t));
  await addEvents(2);
  assert.equal(
    (await fanOut(db, { max_events: 100, now })).events,
    0,
    'every running transaction holds back',
  );
  await fanOutAll();
});

test('a transaction that may add events holds those after it back until it ends, and loses none', async (t) => {
  await fanOutAll();
  const writer = await openTransaction(t, database.connection);
  await addEvents(2);
  for (let turn = 1; turn <= 5; turn += 1) {
    assert.equal((await fanOut(db, { max_events: 100, now, behind: 'writers' })).events, 0);
  }
  await writer.query(
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event)
     select uuid_at(clock_timestamp()), gen_random_uuid(), gen_random_uuid(), id, clock_timestamp(), 'sent' from instances`,
  );
  assert.equal((await fanOut(db, { max_events: 100, now, behind: 'writers' })).events, 0);
  await writer.query('commit');
  await writer.end();
  assert.equal(await unread(), 3);
  await fanOutAll();
  const [delivered] = await db.query<{ count: number }>(
    `select count(*) from events e join webhook_deliveries d on d.event_id = e.event_id
     where e.txid >= (select txid from events order by txid desc, event_id desc offset 2 limit 1)`,
  );
  assert.equal(delivered?.count, 3);
});

test('the loop delivers while a transaction of another database stays open', async (t) => {
  await openTransaction(t, await otherDatabase(t));
  const loop = createFanOutLoop({
    db,
    clock: { now: () => now },
    log: createLog('error', process.stderr),
    notifications: { on: () => undefined, onGap: () => undefined } as unknown as Notifications,
  });
  await fanOutAll();
  await addEvents(2);
  loop.start();
  t.after(async () => await loop.stop());
  await waitFor(async () => (await unread()) === 0, {
    timeout_ms: eventTimeoutMs,
    what: 'the deliveries',
  });
  await loop.stop();
});
