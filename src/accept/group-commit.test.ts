import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { isStoreLost } from '../base/db/batcher.ts';
import { Database } from '../base/db/database.ts';
import { createBacklog } from '../deliver/backlog.ts';
import { createConcurrencyLimits } from '../deliver/concurrency-limits.ts';
import { DeliverySlots, HandOver } from '../deliver/hand-over.ts';
import type { NewMessage } from '../mails/index.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { halfWritten, written } from './half-written.fixture.ts';
import { accepted, answerFor, message, type WantedMessage } from './message.fixture.ts';

let database: TestDatabase;
let db: Database;
/** Only the test uses it. */
let watcher: Database;
const open = (): Database =>
  new Database({ connection: database.connection, pool_size: 4, pipelines: 1, on_error: () => undefined });
before(async () => {
  database = await createTestDatabase();
  [db, watcher] = [open(), open()];
});
after(async () => {
  await Promise.all([db.end(), watcher.end()]);
  await database.drop();
});

/** PostgreSQL text holds no NUL, so the whole batch with this one is refused. */
const culprit = (more: WantedMessage = {}): NewMessage => message({ subject: 'a\0b', ...more });

test('500 messages at once share few commits, and each is there when its write is over', async () => {
  const commits = createGroupCommit(db);
  const messages = Array.from({ length: 500 }, (_, index) => message({ recipients: 1 + (index % 3) }));
  await Promise.all(
    messages.map(async (each, index) => {
      await commits.write(accepted(each));
      if (index % 100 === 0) assert.equal((await written(watcher, [each])).count, 1);
    }),
  );
  const total = await written(watcher, messages);
  assert.equal(total.count, 500);
  assert.ok(total.commits <= 10, `${total.commits} commits`);
  console.log(`500 messages in ${total.commits} commits`);
  assert.deepEqual(await watcher.query(halfWritten), []);
});

/** Of writes that are handed in without a pause: how many commits had begun after each, and in all. */
async function beginnings(
  commits: GroupCommit,
  count: number,
): Promise<{ after_each: number[]; all: number }> {
  const already = db.round_trips;
  const after_each: number[] = [];
  const writes = Array.from({ length: count }, async () => {
    const write = commits.write(accepted(message()));
    after_each.push(db.round_trips - already);
    await write;
  });
  await Promise.all(writes);
  return { after_each, all: db.round_trips - already };
}
const repeat = (count: number, value: number): number[] => Array<number>(count).fill(value);

test('several of one turn leave before it is over, and the rest of it when they are back', async () => {
  assert.deepEqual(await beginnings(createGroupCommit(db), 30), {
    after_each: [...repeat(7, 0), ...repeat(8, 1), ...repeat(15, 2)],
    all: 3,
  });
});

test('the more come together, the more leave together', async () => {
  const commits = createGroupCommit(db);
  await beginnings(commits, 100);
  assert.deepEqual(await beginnings(commits, 40), { after_each: repeat(40, 0), all: 1 });
});

test('a commit is bounded in messages and in bytes', async () => {
  const largest = async (messages: NewMessage[]): Promise<number> => {
    const commits = createGroupCommit(db);
    await Promise.all(messages.map(async (each) => await commits.write(accepted(each))));
    const sizes = await watcher.query<{ count: number }>(
      'select count(*) from messages where msg_id = any ($1::uuid[]) group by xmin::text',
      [messages.map(({ msg_id }) => msg_id)],
    );
    return Math.max(...sizes.map(({ count }) => count));
  };
  const many = await largest(Array.from({ length: 600 }, () => message()));
  assert.ok(many > 100 && many <= 250, `${many} messages`);
  const heavy = await largest(Array.from({ length: 40 }, () => message({ html_bytes: 200 * 1024 })));
  assert.ok(heavy > 1 && heavy * 200 <= 2 * 1024, `${heavy} messages of 200 KiB`);
});

test('a single message does not wait', async () => {
  const commits = createGroupCommit(db);
  const lone = message({ dropped: true, attached: true });
  await commits.write(accepted(lone));
  assert.deepEqual(await written(watcher, [lone]), { count: 1, commits: 1 });
});

for (const [where, place] of [
  ['first', 0],
  ['in the middle', 20],
  ['last', 39],
] as const) {
  test(`a message that cannot be stored, ${where} in its batch, fails without the others`, async () => {
    // On connections that have nothing prepared yet, too.
    const fresh = open();
    const commits = createGroupCommit(fresh);
    const messages = Array.from({ length: 40 }, (_, index) =>
      index === place
        ? culprit()
        : message({ recipients: 2, attached: index % 2 === 0, dropped: index % 5 === 0 }),
    );
    const ends = await Promise.allSettled(messages.map(async (each) => await commits.write(accepted(each))));
    assert.deepEqual(
      ends.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])),
      [place],
    );
    const failed = ends.find((end) => end.status === 'rejected');
    assert.equal(isStoreLost(failed?.reason), false);
    const total = await written(watcher, messages);
    assert.equal(total.count, 39);
    assert.ok(total.commits <= 12, `${total.commits} commits`);
    assert.deepEqual(await watcher.query(halfWritten), []);
    const later = message();
    await commits.write(accepted(later));
    assert.equal((await written(watcher, [later])).count, 1);
    await fresh.end();
  });
}

test('several that cannot be stored fail, and all others do not', async () => {
  const commits = createGroupCommit(db);
  const messages = Array.from({ length: 60 }, (_, index) =>
    index % 7 === 0 ? culprit({ attached: true }) : message(),
  );
  const ends = await Promise.allSettled(messages.map(async (each) => await commits.write(accepted(each))));
  for (const [index, { status }] of ends.entries()) {
    assert.equal(status, index % 7 === 0 ? 'rejected' : 'fulfilled', `${index}`);
  }
  assert.equal((await written(watcher, messages)).count, 51);
});

/** Holds back whatever writes attachments. */
async function holdAttachments(): Promise<{ release(): Promise<void> }> {
  const release = Promise.withResolvers<void>();
  const holds = Promise.withResolvers<void>();
  const held = watcher.transaction(async (tx) => {
    await tx.query('lock table message_attachments in exclusive mode');
    holds.resolve();
    await release.promise;
  });
  await holds.promise;
  return {
    async release() {
      release.resolve();
      await held;
    },
  };
}

/** Connections that are held back so. */
const waiting = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%message_attachments%'`;

test('large content does not hold up small mail', async () => {
  const commits = createGroupCommit(db);
  const lock = await holdAttachments();
  const large = Array.from({ length: 5 }, () => message({ html_bytes: 300 * 1024, attached: true }));
  let over = 0;
  const slow = large.map(async (each) => await commits.write(accepted(each)).then(() => (over += 1)));
  const times: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    const began = performance.now();
    await commits.write(accepted(message()));
    times.push(performance.now() - began);
  }
  assert.equal(over, 0, 'the large ones wait all the while');
  const median = times.toSorted((a, b) => a - b)[10] ?? 0;
  console.log(`small mail beside a large lane that stands still: median ${median.toFixed(1)} ms`);
  await lock.release();
  await Promise.all(slow);
  assert.equal((await written(watcher, large)).count, 5);
});

test('every call of drain waits for what was handed in', async () => {
  const commits = createGroupCommit(db);
  await commits.drain();
  const lock = await holdAttachments();
  const messages = [
    message({ attached: true }),
    message({ attached: true, html_bytes: 300 * 1024 }),
    message(),
  ];
  const writes = messages.map(async (each) => await commits.write(accepted(each)));
  let drained = 0;
  const drains = [commits.drain(), commits.drain()].map(
    async (drain) => await drain.then(() => (drained += 1)),
  );
  await waitFor(async () => (await watcher.query(waiting)).length === 2, { what: 'both lanes to wait' });
  assert.equal(drained, 0);
  await lock.release();
  await Promise.all(drains);
  assert.equal((await written(watcher, messages)).count, 3);
  await Promise.all(writes);
  await commits.drain();
});

test('a batch whose connection breaks before its commit is stored all the same, whole and once', async () => {
  const commits = createGroupCommit(db);
  const lock = await holdAttachments();
  // As many as leave together.
  const messages = Array.from({ length: 7 }, (_, index) => message({ recipients: 3, attached: index === 5 }));
  const writes = messages.map(async (each) => await commits.write(accepted(each)));
  await waitFor(async () => (await watcher.query(waiting)).length > 0, { what: 'the batch to wait' });
  await watcher.query(`select pg_terminate_backend(pid) from (${waiting}) as each`);
  await lock.release();
  await Promise.all(writes);
  assert.deepEqual(await written(watcher, messages), { count: 7, commits: 1 });
  assert.deepEqual(await watcher.query(halfWritten), []);
});

test('a send that cannot be stored fails without the others, also after a broken connection', async () => {
  const commits = createGroupCommit(db);
  const lock = await holdAttachments();
  const unstorable = [{ type: 'a/b', filename: 'a\0b', content: Buffer.from('a') }];
  const messages = [message(), { ...message(), attachments: unstorable }, message()];
  const ends: string[] = [];
  const writes = messages.map(async (each, index) => {
    await commits.write(accepted(each)).then(
      () => ends.push(`${index} stored`),
      () => ends.push(`${index} refused`),
    );
  });
  await waitFor(async () => (await watcher.query(waiting)).length > 0, { what: 'the batch to wait' });
  await watcher.query(`select pg_terminate_backend(pid) from (${waiting}) as each`);
  await lock.release();
  await waitFor(() => ends.length === 3, { what: 'the end of all' });
  await Promise.all(writes);
  assert.deepEqual(ends.toSorted(), ['0 stored', '1 refused', '2 stored']);
});

test('a message whose id is taken is refused: it is not the one that is stored', async () => {
  const commits = createGroupCommit(db);
  const first = message();
  await commits.write(accepted(first));
  const second = { ...message({ subject: 'Another' }), msg_id: first.msg_id };
  await assert.rejects(commits.write(accepted(second)), { code: '23505' });
});

test('a mail that is not stored frees its slot, and its delivery does not start', async () => {
  const limits = createConcurrencyLimits({
    slots: 100,
    slow_after_ms: 60_000,
    max_slow: 100,
    onFreeSlot: () => undefined,
  });
  const started: string[] = [];
  let release = (): void => assert.fail('nothing was started');
  const slots = new DeliverySlots({
    clock: { now: () => new Date() },
    limits,
    backlog: createBacklog(),
    paused: { has: () => false, refresh: async () => undefined },
    lease_seconds: 60,
    newLease: randomUUID,
    isOpen: () => true,
    start: ({ msg_id }, releaseSlot) => {
      started.push(msg_id);
      release = releaseSlot;
    },
  });
  const handOver = new HandOver();
  handOver.open((request) => slots.reserve(request));
  const commits = createGroupCommit(db, handOver);
  await assert.rejects(commits.write(accepted(culprit())));
  assert.deepEqual([limits.free(), started], [100, []]);
  await slots.drain();
  const taken = message();
  await createGroupCommit(db).write(accepted(taken, answerFor(taken, 'slot')));
  assert.equal(await commits.write(accepted(message(), answerFor(taken, 'slot'))), 'key_taken');
  assert.deepEqual([limits.free(), started], [100, []]);
  const good = message();
  await commits.write(accepted(good));
  assert.deepEqual([limits.free(), started], [99, [good.msg_id]]);
  release();
});
