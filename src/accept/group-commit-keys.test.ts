import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { Database } from '../base/db/database.ts';
import type { NewKeptAnswer } from '../mails/index.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { halfWritten, written } from './half-written.fixture.ts';
import { accepted, answerFor, message } from './message.fixture.ts';

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

/** Which of the answers are there. */
async function keptAnswers(answers: NewKeptAnswer[]): Promise<string[]> {
  const rows = await watcher.query<{ answer: string }>(
    'select answer from idempotency_keys where key_digest = any ($1::uuid[])',
    [answers.map(({ key_digest }) => key_digest)],
  );
  return rows.map(({ answer }) => answer);
}

test('calls whose keys were taken meanwhile store nothing, and those beside them are stored together', async () => {
  const taken = [3, 17, 38];
  const commits = createGroupCommit(db);
  const winners = taken.map((index) => ({ ...message(), key: `taken ${index}` }));
  for (const each of winners) {
    assert.equal(await commits.write(accepted(each, answerFor(each, each.key))), 'stored');
  }
  const messages = Array.from({ length: 40 }, (_, index) =>
    message({ recipients: 2, dropped: index % 5 === 0 }),
  );
  const ends = await Promise.all(
    messages.map(async (each, index) => {
      // Some have no key, and one has a key of its own.
      const key = taken.includes(index) ? `taken ${index}` : index === 5 ? 'own' : undefined;
      return await commits.write(accepted(each, key === undefined ? undefined : answerFor(each, key)));
    }),
  );
  assert.deepEqual(
    ends.flatMap((end, index) => (end === 'key_taken' ? [index] : [])),
    taken,
  );
  const total = await written(watcher, messages);
  assert.equal(total.count, 37);
  assert.ok(total.commits <= 4, `${total.commits} commits`);
  assert.deepEqual(await watcher.query(halfWritten), []);
  const answers = [
    ...winners.map((each) => answerFor(each, each.key)),
    answerFor(messages[5] ?? message(), 'own'),
  ];
  assert.deepEqual((await keptAnswers(answers)).toSorted(), answers.map(({ answer }) => answer).toSorted());
});

test('a key that another transaction holds is waited for, and decides when that ends', async () => {
  const commits = createGroupCommit(db);
  for (const ends of ['commit', 'rollback'] as const) {
    const held = answerFor(message(), `held ${ends}`);
    const finish = Promise.withResolvers<void>();
    const holds = Promise.withResolvers<void>();
    const other = watcher.transaction(async (tx) => {
      await tx.query(
        `insert into idempotency_keys (instance_id, key_digest, body_digest, answer, has_errors) values ($1, $2, $3, $4, false)`,
        [held.instance_id, held.key_digest, held.body_digest, held.answer],
      );
      holds.resolve();
      await finish.promise;
      if (ends === 'rollback') throw new Error('over');
    });
    await holds.promise;
    const [mine, beside] = [message(), message()];
    const writes = Promise.all([
      commits.write(accepted(mine, { ...answerFor(mine, ''), key_digest: held.key_digest })),
      commits.write(accepted(beside)),
    ]);
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%copy idempotency_keys%'`;
    await waitFor(async () => (await watcher.query(waits)).length === 1, { what: 'the commit to wait' });
    finish.resolve();
    await other.catch(() => undefined);
    assert.deepEqual(await writes, [ends === 'commit' ? 'key_taken' : 'stored', 'stored']);
    assert.equal((await written(watcher, [mine, beside])).count, ends === 'commit' ? 1 : 2);
  }
});

test('two commits with the same keys in any order do not block each other', async () => {
  const [one, two] = [createGroupCommit(db), createGroupCommit(db)];
  for (let round = 0; round < 10; round += 1) {
    const keys = Array.from({ length: 7 }, (_, index) => `same ${round} ${index}`);
    const writeAll = async (commits: GroupCommit, order: string[]) =>
      await Promise.all(
        order.map(async (key) => {
          const own = message();
          return await commits.write(accepted(own, answerFor(own, key)));
        }),
      );
    const ends = await Promise.all([writeAll(one, keys), writeAll(two, keys.toReversed())]);
    assert.equal(ends.flat().filter((end) => end === 'stored').length, keys.length);
  }
});
