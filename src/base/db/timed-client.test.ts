import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { youngSurvivors } from '../../../test/support/young-survivors.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { CopyBytes } from './copy-bytes.ts';
import { CopyIn } from './copy-in.ts';
import { TimedClient } from './timed-client.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ empty: true });
});
after(async () => await database.drop());

async function open(
  t: TestContext,
  more: { pipeline?: boolean; answer_timeout_ms?: number } = {},
): Promise<TimedClient> {
  const client = new TimedClient({ ...database.connection, answer_timeout_ms: 300, ...more });
  client.on('error', () => undefined);
  await client.connect();
  t.after(() => client.connection.stream.destroy());
  return client;
}

/** Stops the server process of a client for the rest of the test, as a machine that is gone would be. */
async function silence(t: TestContext, client: TimedClient): Promise<void> {
  const { rows } = await client.ask<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
  const pid = rows[0]?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  t.after(() => process.kill(pid, 'SIGCONT'));
}

const timeout = { message: 'Query read timeout' };

for (const pipeline of [false, true]) {
  test(`every statement fails when the server stays silent, pipelined: ${pipeline}`, async (t) => {
    const client = await open(t, { pipeline });
    await silence(t, client);
    const began = performance.now();
    await Promise.all(
      [1, 2, 3].map(async () => await assert.rejects(client.ask({ text: 'select 1' }), timeout)),
    );
    const took = performance.now() - began;
    assert.ok(took > 290 && took < 10_000, `${took} ms`);
  });
}

test('a batch fails when the server stays silent', async (t) => {
  const client = await open(t);
  await silence(t, client);
  await assert.rejects(client.copy(new CopyIn([{ sql: 'select 1' }], new CopyBytes())), timeout);
});

test('an answer gives the next statement its whole time, and an idle connection stays', async (t) => {
  const client = await open(t, { pipeline: true, answer_timeout_ms: 2_000 });
  const each = async () => await client.ask({ text: 'select pg_sleep(0.75)' });
  await Promise.all([each(), each(), each()]);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  assert.equal((await client.ask({ text: 'select 1' })).rowCount, 1);
});

test('a failure says who asked', async (t) => {
  const client = await open(t);
  const whoAsks = async (): Promise<void> => {
    await client.ask({ text: 'select 1 / 0' });
  };
  await assert.rejects(whoAsks(), (error: Error) => {
    assert.match(error.stack ?? '', /at async whoAsks/);
    return true;
  });
  assert.equal((await client.ask({ text: 'select 1' })).rowCount, 1);
});

test('results do not outlive young collections', async (t) => {
  const client = await open(t);
  const select = async (): Promise<void> => {
    const text = 'select g, repeat(md5(g::text), 8) as text from generate_series(1, 25) g where g <> $1';
    for (let each = 0; each < 2_000; each += 1) await client.ask({ text, values: [each] });
  };
  const share = await youngSurvivors(select);
  assert.ok(share < 0.05, `${share}`);
});
