import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { IdSequence } from '../base/ids.ts';
import { recordOutcomes } from '../events/record-outcomes.ts';
import { createClaim, type ClaimedMail } from './claim.ts';
import { createQueueRelease } from './leases.ts';
import { createSuspects } from './suspects.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  const { connection } = database;
  db = new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
});
after(async () => {
  await db.end();
  await database.drop();
});

let nodes = 0;
/** The id that a node's leases begin with. */
const newNode = (): string => (nodes += 1).toString(16).padStart(8, '0');

/** Mails of instances 1, 1 and 2, each under a lease of its own. */
async function claimed(by = newNode()): Promise<ClaimedMail[]> {
  await db.query('delete from queue');
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), i, 'd' || i || '.test', 0, 0, now()
     from unnest('{1,1,2}'::int[]) i`,
  );
  return await claim(by);
}

async function claim(by = newNode()): Promise<ClaimedMail[]> {
  const request = {
    lease: by + randomUUID().slice(8),
    count: 10,
    per_lane: 10,
    lease_seconds: 600,
    excluded: [],
  };
  // A little later, so that what was put back is due.
  const mails = await createClaim(db)({ ...request, now: new Date(Date.now() + 1_000) });
  return mails.toSorted((a, b) => a.instance_id - b.instance_id);
}

const crashesOf = async ({ mail_id }: ClaimedMail): Promise<number> => {
  const [row] = await db.query<{ crashes: number }>('select crashes from queue where mail_id = $1', [
    mail_id,
  ]);
  return row?.crashes ?? -1;
};

test('mail leased to a dead node is marked as suspect once, however often nodes die', async () => {
  for (const [round, died] of [1, 2, 3].entries()) {
    const dead = newNode();
    const mails = round === 0 ? await claimed(dead) : await claim(dead);
    assert.deepEqual(
      mails.map(({ crashes }) => crashes),
      [0, 0, 0].map(() => Math.min(round, 1)),
    );
    assert.equal(
      await createQueueRelease({ lease_seconds: 600 })(db, { nodes: [dead], leases: [], ages_ms: [] }),
      3,
      `death ${died}`,
    );
  }
  assert.deepEqual(new Set((await claim()).map(({ crashes }) => crashes)), new Set([1]));
});

test('mail whose lease expired is marked too, and a deferral clears the mark', async () => {
  const [mail] = await claimed();
  assert.ok(mail);
  await db.query("update queue set due_at = now() - interval '1 s'");
  const again = await claim();
  assert.deepEqual(
    again.map(({ crashes }) => crashes),
    [1, 1, 1],
  );
  const [first, second] = again;
  assert.ok(first && second);
  const outcome = ({ mail_id, msg_id, instance_id, lease }: ClaimedMail) => ({
    mail_id,
    msg_id,
    instance_id,
    lease,
    reason: 'paced' as const,
    details: { attempt: 1 },
    at: new Date(),
    next_attempt_at: new Date(),
  });
  await recordOutcomes(db, new IdSequence(), [
    { ...outcome(first), verdict: 'deferred' },
    // Nothing was tried.
    { ...outcome(second), verdict: 'postponed' },
  ]);
  assert.deepEqual([await crashesOf(first), await crashesOf(second)], [0, 1]);
});

test('a database lost during the build does not count as a crash of the mail', async () => {
  await claimed();
  await db.query("update queue set crashes = 1, due_at = now() - interval '1 s'");
  const [mail] = await claim();
  assert.ok(mail);
  assert.equal(mail.crashes, 1);
  const lost = new Error('the connection was lost');
  const gone = new Database({
    connection: database.connection,
    pool_size: 1,
    pipelines: 1,
    on_error: () => undefined,
  });
  const building = createSuspects(gone)(mail, async () => {
    await gone.end();
    throw lost;
  });
  await assert.rejects(building);
  assert.equal(await crashesOf(mail), 2, 'nobody lowered it');
  const { mail_id, msg_id, instance_id, lease, crashes } = mail;
  const outcome = { mail_id, msg_id, instance_id, lease, crashes, details: { attempt: 1 }, at: new Date() };
  const postponed = {
    verdict: 'postponed',
    reason: 'database_unavailable',
    next_attempt_at: new Date(),
  } as const;
  await recordOutcomes(db, new IdSequence(), [{ ...outcome, ...postponed }]);
  assert.equal(await crashesOf(mail), 1);
});

test('crashes is raised while a suspect is built, one at a time per instance', async () => {
  const [one, two, other] = (await claimed()).map((mail) => ({ ...mail, crashes: 1 }));
  assert.ok(one && two && other);
  await db.query('update queue set crashes = 1');
  const isolatePoisonMail = createSuspects(db);
  const building: string[] = [];
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const build = (name: string) => async (): Promise<string> => {
    building.push(name);
    await go;
    return name;
  };
  const all = Promise.all([
    isolatePoisonMail(one, build('one')),
    isolatePoisonMail(two, build('two')),
    isolatePoisonMail(other, build('other')),
  ]);
  while (building.length < 2) await delay(5);
  await delay(50);
  assert.deepEqual(building.toSorted(), ['one', 'other']);
  assert.deepEqual([await crashesOf(one), await crashesOf(two), await crashesOf(other)], [2, 1, 2]);
  resolve();
  assert.deepEqual(await all, ['one', 'two', 'other']);
  assert.deepEqual([await crashesOf(one), await crashesOf(two), await crashesOf(other)], [1, 1, 1]);
});

test('a failed build does not block the next one', async () => {
  const [one, two] = (await claimed()).map((mail) => ({ ...mail, crashes: 1 }));
  assert.ok(one && two);
  const isolatePoisonMail = createSuspects(db);
  const failing = isolatePoisonMail(one, async () => await Promise.reject(new Error('no key')));
  const next = isolatePoisonMail(two, async () => 'built');
  await assert.rejects(failing, /no key/);
  assert.equal(await next, 'built');
  assert.equal(await crashesOf(one), 0, 'as it was');
});

test('mail that is not suspect does not cost a query', async () => {
  const [mail] = await claimed();
  assert.ok(mail);
  const sent = db.round_trips;
  assert.equal(await createSuspects(db)(mail, async () => 'built'), 'built');
  assert.equal(db.round_trips, sent);
});

test('a node that has lost the mail meanwhile does not touch its mark', async () => {
  const [mail] = (await claimed()).map((each) => ({ ...each, crashes: 1 }));
  assert.ok(mail);
  await db.query('update queue set crashes = 1, lease = gen_random_uuid() where mail_id = $1', [
    mail.mail_id,
  ]);
  assert.equal(await createSuspects(db)(mail, async () => await crashesOf(mail)), 1);
  assert.equal(await crashesOf(mail), 1);
});
