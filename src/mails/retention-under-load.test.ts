import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { Database } from '../base/db/database.ts';
import { createPartitions } from './partitions.ts';
import { retentionJob } from './retention.ts';

const parents = ['messages', 'message_attachments', 'mails', 'events', 'mail_subjects'];
const [withReader, interrupted, ...months] = [
  '2023_01',
  '2023_02',
  '2023_03',
  '2023_04',
  '2023_05',
  '2023_06',
] as const;

let service: TestService;
let tenant: Tenant;
let readers: Database;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0');
  for (const month of [withReader, interrupted, ...months]) await makeMonth(month);
  readers = new Database({
    connection: service.database.connection,
    pool_size: 12,
    pipelines: 2,
    on_error: () => undefined,
  });
});
after(async () => {
  await readers.end();
  await service.stop();
});

async function makeMonth(month: string): Promise<void> {
  const from = `${month.replace('_', '-')}-01Z`;
  for (const parent of parents) {
    await service.db.query(
      `create table ${parent}_${month} partition of ${parent}
       for values from (uuid_at('${from}')) to (uuid_at(timestamptz '${from}' + interval '1 month'))`,
    );
  }
}

const kept = async (): Promise<number> => {
  const [row] = await service.db.query<{ count: number }>(
    `select count(*) from pg_class where relkind = 'r' and relname ~ '_2023_0[1-6]$'`,
  );
  return row?.count ?? -1;
};

/** Every table with every other, in both orders, within a transaction as lists have it. */
const orders = ['mails', 'messages', 'events', 'mail_subjects'].flatMap((first, _, all) =>
  all.filter((second) => second !== first).map((second) => [first, second]),
);

async function readInOrder([first, second]: string[]): Promise<void> {
  await readers.transaction(async (tx) => {
    await tx.query(`select count(*) from ${first}`);
    await tx.query(`select count(*) from ${second}`);
  });
}

const joined = {
  name: 'test.joined',
  text: `select count(*) from events e join mails m on m.mail_id = e.mail_id join messages g on g.msg_id = m.msg_id`,
};

interface Load {
  done: number;
  /** Of the one of them that got on least. */
  least(): number;
  errors: string[];
  stop(): Promise<void>;
}

/** Readers and writers, each again and again until they are told to stop. */
function startLoad(): Load {
  let isOver = false;
  const each: { done: number }[] = [];
  const least = (): number => Math.min(...each.map(({ done }) => done));
  const load: Load = { done: 0, least, errors: [], stop: async () => undefined };
  const again = async (work: () => Promise<unknown>): Promise<void> => {
    const own = { done: 0 };
    each.push(own);
    while (!isOver) {
      try {
        await work();
        own.done += 1;
        load.done += 1;
      } catch (error) {
        load.errors.push((error as Error).message);
      }
    }
  };
  const get = async (path: string): Promise<void> => {
    const { status, text } = await tenant.api.get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  };
  const all = [
    ...orders.map((order) => again(async () => await readInOrder(order))),
    again(async () => await readers.query(joined)),
    again(async () => await get('/v1/mails')),
    again(async () => await get('/v1/mails?subject=nowhere')),
    again(async () => await get('/v1/activities/opens')),
    again(async () => await get('/v1/activities/bounced')),
    again(async () => {
      await readers.query(
        `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email,
           subject, test_mode, received_at)
         select id, id, $1, 3, 'a@example.com', 'to', 1, 'b@example.com', 'x', false, now()
         from (select (left(uuid_at(now())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid as id) as new`,
        [tenant.instance.id],
      );
    }),
  ];
  load.stop = async () => {
    isOver = true;
    await Promise.all(all);
  };
  return load;
}

const run = async (): Promise<string> =>
  await retentionJob.run({ db: service.db, now: new Date(), isStopping: () => false });

/** A transaction that has read all tables and goes on, as an export does. */
async function startReader(t: TestContext): Promise<{ end(): Promise<void> }> {
  const client = new Client(service.database.connection);
  await client.connect();
  t.after(async () => await client.end());
  await client.query('begin isolation level repeatable read');
  for (const parent of parents) await client.query(`select count(*) from ${parent}`);
  return { end: async () => void (await client.query('commit')) };
}

const detaching = async (): Promise<number | undefined> => {
  const [row] = await service.db.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and query like '%detach partition%' and wait_event_type = 'Lock'`,
  );
  return row?.pid;
};

test('while a long reader keeps a month from being dropped, no other request waits', async (t) => {
  const reader = await startReader(t);
  const dropping = run();
  await waitFor(detaching, { what: 'the job to wait for the reader' });
  const load = startLoad();
  try {
    await waitFor(() => load.least() > 2, { what: 'all others to read and write', timeout_ms: 20_000 });
    assert.notEqual(await detaching(), undefined, 'the job waits still');
  } catch (error) {
    await reader.end();
    await load.stop();
    throw error;
  }
  await reader.end();
  assert.equal(await dropping, `${withReader} dropped`);
  await load.stop();
  assert.deepEqual(load.errors, []);
});

test('a run that gave up in the middle of a month is finished by a later one', async (t) => {
  const reader = await startReader(t);
  const dropping = run();
  const pid = await waitFor(detaching, { what: 'the job to wait for the reader' });
  await service.db.query('select pg_cancel_backend($1)', [pid]);
  assert.equal(await dropping, 'no month dropped');
  await reader.end();
  // And one that died between detaching and dropping.
  await service.db.query(`alter table events detach partition events_${interrupted}`);
  assert.equal(await run(), `${interrupted} dropped`);
  assert.equal(await kept(), months.length * parents.length);
});

test('leaves a locked table to a later run after five seconds', async (t) => {
  const [month] = months;
  await service.db.query(`alter table mail_subjects detach partition mail_subjects_${month}`);
  const client = new Client(service.database.connection);
  await client.connect();
  t.after(async () => await client.end());
  await client.query(`begin; lock table mail_subjects_${month} in access share mode`);
  let result: string | undefined;
  const dropping = run().then((text) => (result = text));
  await waitFor(() => result !== undefined, { what: 'the run to give up', timeout_ms: 15_000 });
  assert.equal(await dropping, 'no month dropped');
  assert.equal(await kept(), months.length * parents.length);
});

test('months are dropped one by one while others read and write, and none of these sees an error', async () => {
  const load = startLoad();
  const results: string[] = [];
  try {
    while ((await kept()) > 0 && results.length < 3 * months.length) results.push(await run());
  } finally {
    await load.stop();
  }
  assert.deepEqual(load.errors, []);
  assert.ok(load.done > 100, `${load.done} reads`);
  assert.deepEqual(
    results.filter((result) => !result.startsWith('no month')),
    months.map((month) => `${month} dropped`),
  );
});

test('months are made while others read and write, and none of these sees an error', async () => {
  const load = startLoad();
  try {
    await createPartitions(service.db, 20);
    await waitFor(() => load.done > 50, { what: 'others to read and write', timeout_ms: 20_000 });
  } finally {
    await load.stop();
  }
  assert.deepEqual(load.errors, []);
});
