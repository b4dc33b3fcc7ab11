import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { createDatabaseLink } from '../../test/acceptance/database-link.fixture.ts';
import { isStoreLost } from '../base/db/batcher.ts';
import { OutcomeUnknown } from '../base/db/connection-loss.ts';
import { Database } from '../base/db/database.ts';
import { createGroupCommit } from './group-commit.ts';
import { halfWritten } from './half-written.fixture.ts';
import { accepted, answerFor, message } from './message.fixture.ts';

/** ReadyForQuery, outside a transaction: with the answer to the last statement of the batch. */
const ready = Buffer.from('5a0000000549', 'hex');

test('a commit whose answer is lost is found to stand, and is not written twice', async (t) => {
  const link = await createDatabaseLink();
  const { connection } = link.database;
  const [linked, beside] = [connection, connection].map(
    (each) => new Database({ connection: each, pool_size: 2, pipelines: 1, on_error: () => undefined }),
  ) as [Database, Database];
  t.after(async () => {
    await Promise.all([linked.end(), beside.end()]);
    await link.stop();
  });
  const commits = createGroupCommit(linked);
  await commits.write(accepted(message()));
  // The answer to the keys, after it, may come by itself.
  let notified = false;
  const { isLost } = link.loseAnswer(
    (bytes) => (notified ||= bytes.includes('NOTIFY')) && bytes.includes(ready),
  );
  const messages = Array.from({ length: 5 }, () => message({ recipients: 2 }));
  const ends = await Promise.all(
    messages.map(
      async (each, index) => await commits.write(accepted(each, answerFor(each, `lost ${index}`))),
    ),
  );
  assert.ok(isLost());
  assert.deepEqual(new Set(ends), new Set(['stored']));
  const [row] = await beside.query(
    'select count(*)::int as messages, count(distinct xmin::text)::int as commits from messages where msg_id = any ($1::uuid[])',
    [messages.map(({ msg_id }) => msg_id)],
  );
  assert.deepEqual(row, { messages: 5, commits: 1 });
  assert.deepEqual(await beside.query(halfWritten), []);
});

test('a send that never reached the database is refused at once', async (t) => {
  const link = await createDatabaseLink();
  const { connection } = link.database;
  const linked = new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
  t.after(async () => {
    await linked.end();
    await link.stop();
  });
  const commits = createGroupCommit(linked);
  await link.cut();
  const refused = await commits.write(accepted(message())).catch((error: unknown) => error);
  assert.ok(isStoreLost(refused));
  assert.equal(refused instanceof OutcomeUnknown, false);
  await link.mend();
  await commits.write(accepted(message()));
});

test('a commit of unknown outcome is asked about until that is called off', async (t) => {
  const link = await createDatabaseLink();
  const { connection } = link.database;
  const linked = new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
  t.after(async () => {
    await linked.end();
    await link.stop();
  });
  const commits = createGroupCommit(linked);
  await commits.write(accepted(message()));
  const { isLost } = link.loseAnswer((bytes) => bytes.includes('NOTIFY') && bytes.includes(ready));
  let end: unknown;
  const write = commits.write(accepted(message())).catch((error: unknown) => (end = error));
  await waitFor(isLost, { what: 'the answer to be lost' });
  await link.cut();
  const asked = linked.round_trips;
  await waitFor(() => linked.round_trips > asked, { what: 'another question' });
  assert.equal(end, undefined);
  commits.abort();
  await waitFor(() => end !== undefined, { what: 'the end' });
  assert.ok(isStoreLost(end));
  await write;
});
