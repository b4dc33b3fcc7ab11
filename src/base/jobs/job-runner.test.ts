import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { createDatabaseLink } from '../../../test/acceptance/database-link.fixture.ts';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Database } from '../db/database.ts';
import { createLog } from '../log.ts';
import { Node } from '../engine/node.ts';
import type { Worker } from '../engine/worker.ts';
import { createJobRunner, releaseJobLeases } from './job-runner.ts';
import { listJobs, type JobState } from './job-states.ts';
import type { Job } from './job.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  const { connection } = database;
  db = new Database({ connection, pool_size: 6, pipelines: 1, on_error: () => undefined });
});
/** Of this test; those that a failed assertion left running would keep the process alive. */
const started: Runner[] = [];
afterEach(async () => await stopAll(started.splice(0)));
after(async () => {
  await db.end();
  await database.drop();
});

const log = createLog('silent', { write: () => undefined });
const clock = createMovableClock('2026-11-01T00:00:00Z');
const poll_every_ms = 5;

type Runner = Pick<Worker<never>, 'stop'>;
type RunnerOptions = Parameters<typeof createJobRunner>[0];

const newNode = (on: Database): Node =>
  new Node({
    db: on,
    log,
    roles: ['jobs'],
    version: '1',
    dead_after_ms: 90_000,
    releases: [releaseJobLeases],
  });

function startNodes(count: number, jobs: Job[], more: Partial<RunnerOptions> = {}): Runner[] {
  const nodes = Array.from({ length: count }, () => {
    const runner = createJobRunner({ db, clock, log, node: newNode(db), jobs, poll_every_ms, ...more });
    runner.start();
    return runner;
  });
  started.push(...nodes);
  return nodes;
}
const stopAll = async (nodes: Runner[]): Promise<void> => {
  await Promise.all(nodes.map(async (node) => await node.stop()));
};
const stateOf = async (name: string): Promise<JobState | undefined> =>
  (await listJobs(db)).find((job) => job.name === name);

test('each job is run once when it is due, by one of many nodes, and again when it is due again', async () => {
  const runs: Date[] = [];
  const job: Job = {
    name: 'counted',
    every_ms: 60_000,
    run: async ({ now }) => {
      runs.push(now);
      return `run ${runs.length}`;
    },
  };
  const nodes = startNodes(4, [job]);
  await waitFor(async () => (await stateOf('counted'))?.last_result === 'run 1', { what: 'the first run' });
  clock.advance(59_999);
  await waitFor(async () => (await stateOf('counted'))?.next_run_at.getTime() === clock.now().getTime() + 1, {
    what: 'the next run to be planned',
  });
  assert.equal(runs.length, 1);
  clock.advance(1);
  await waitFor(async () => (await stateOf('counted'))?.last_result === 'run 2', { what: 'the second run' });
  await stopAll(nodes);
  assert.equal(runs.length, 2);
});

test('a failure is told, tried again soon, and keeps no other job from its run', async () => {
  let fails = true;
  const jobs: Job[] = [
    {
      name: 'failing',
      every_ms: 3_600_000,
      run: async () => {
        if (fails) throw new Error('not today');
        return 'done';
      },
    },
    { name: 'healthy', every_ms: 3_600_000, run: async () => 'fine' },
  ];
  const nodes = startNodes(1, jobs);
  await waitFor(async () => (await stateOf('healthy'))?.last_result === 'fine', { what: 'the other job' });
  const failed = await waitFor(
    async () => {
      const state = await stateOf('failing');
      return state?.last_error === 'not today' && state;
    },
    { what: 'the failure' },
  );
  assert.equal(failed.last_success_at, null);
  fails = false;
  clock.advance(60_000);
  const mended = await waitFor(
    async () => {
      const state = await stateOf('failing');
      return state?.last_error === null && state;
    },
    { what: 'the next attempt' },
  );
  assert.deepEqual(mended.last_success_at, clock.now());
  await stopAll(nodes);
});

test('a run that cannot be recorded keeps no other job from its run', async () => {
  await db.query(`
    create function refuse_record() returns trigger language plpgsql as
      $$begin raise exception 'refused'; end$$`);
  await db.query(`
    create trigger refuse_record before update on jobs for each row
      when (new.last_result = 'unrecordable') execute function refuse_record()`);
  const jobs = ['unrecordable', 'recordable'].map((name) => ({
    name,
    every_ms: 60_000,
    run: async () => name,
  }));
  const nodes = startNodes(1, jobs);
  await waitFor(async () => (await stateOf('recordable'))?.last_result === 'recordable', {
    what: 'the other job',
  });
  await stopAll(nodes);
  await db.query('drop function refuse_record cascade');
  assert.equal((await stateOf('unrecordable'))?.last_result, null);
});

test('a failure is recorded whatever its text', async () => {
  const job: Job = {
    name: 'unstorable',
    every_ms: 60_000,
    run: async () => await Promise.reject(new Error('a byte \0 that PostgreSQL does not store')),
  };
  const nodes = startNodes(1, [job]);
  const find = async (): Promise<string | null | undefined> => (await stateOf('unstorable'))?.last_error;
  assert.equal(await waitFor(find), 'a byte \u{fffd} that PostgreSQL does not store');
  await stopAll(nodes);
});

test('a job that a dead node had claimed is run by another when the claim is over', async () => {
  await db.query(`insert into jobs (name, next_run_at, claimed_until) values ('orphaned', $1, $2)`, [
    new Date(clock.now().getTime() - 1),
    new Date(clock.now().getTime() + 1_000),
  ]);
  let runs = 0;
  const job: Job = { name: 'orphaned', every_ms: 1_000_000, run: async () => `run ${(runs += 1)}` };
  const beside: Job = { name: 'beside', every_ms: 1_000_000, run: async () => 'done' };
  const nodes = startNodes(2, [job, beside]);
  // The one that is due the longest is claimed first, if it can be.
  await waitFor(async () => (await stateOf('beside'))?.last_result === 'done', { what: 'the other job' });
  assert.equal(runs, 0);
  clock.advance(1_000);
  await waitFor(async () => (await stateOf('orphaned'))?.last_result === 'run 1', { what: 'the run' });
  await stopAll(nodes);
});

test('a job that a dead node ran is due again when its death is known', async () => {
  const lease = 'aaaaaaaa-0000-4000-8000-000000000000';
  await db.query(
    `insert into jobs (name, next_run_at, claimed_until, lease) values ('bereft', $1, $1::timestamptz + interval '20 min', $2)`,
    [clock.now(), lease],
  );
  let runs = 0;
  const job: Job = { name: 'bereft', every_ms: 1_000_000, run: async () => `run ${(runs += 1)}` };
  const nodes = startNodes(1, [job]);
  await releaseJobLeases(db, { nodes: ['aaaaaaaa'], leases: [], ages_ms: [] });
  await waitFor(async () => (await stateOf('bereft'))?.last_result === 'run 1', { what: 'the run' });
  await stopAll(nodes);
});

test('a job whose claim had no answer is run long before its lease expires', async () => {
  const link = await createDatabaseLink();
  const linked = new Database({
    connection: link.database.connection,
    pool_size: 3,
    pipelines: 1,
    on_error: () => undefined,
  });
  const node = newNode(linked);
  try {
    await node.start();
    const { isLost } = link.loseAnswer((bytes) => bytes.includes('unanswered'));
    const runs: string[] = [];
    const job: Job = {
      name: 'unanswered',
      every_ms: 60_000,
      run: async ({ now }) => {
        runs.push(now.toISOString());
        return 'done';
      },
    };
    startNodes(1, [job], { db: linked, node });
    await waitFor(() => runs.length > 0, { what: 'the run' });
    assert.ok(isLost());
    assert.equal(runs.length, 1);
  } finally {
    await stopAll(started.splice(0));
    await node.stop();
    await linked.end();
    await link.stop();
  }
});

test('a run that lost its lease does not move the schedule', async () => {
  const gate = Promise.withResolvers<void>();
  const job: Job = {
    name: 'overtaken',
    every_ms: 1_000,
    run: async () => {
      await gate.promise;
      return 'late';
    },
  };
  const nodes = startNodes(1, [job]);
  await waitFor(
    async () =>
      (await db.query(`select from jobs where name = 'overtaken' and lease is not null`)).length > 0,
    {
      what: 'the claim',
    },
  );
  await db.query(`update jobs set lease = $1, last_result = 'of another' where name = 'overtaken'`, [
    randomUUID(),
  ]);
  gate.resolve();
  await stopAll(nodes);
  assert.equal((await stateOf('overtaken'))?.last_result, 'of another');
});

test('a run is told that its node stops, and stopping waits for it', async () => {
  const began = Promise.withResolvers<void>();
  const job: Job = {
    name: 'long',
    every_ms: 60_000,
    run: async ({ isStopping }) => {
      began.resolve();
      await waitFor(isStopping, { what: 'the stop' });
      return 'as far as it got';
    },
  };
  const nodes = startNodes(1, [job]);
  await began.promise;
  await stopAll(nodes);
  assert.equal((await stateOf('long'))?.last_result, 'as far as it got');
});

test('times that a wrong clock has written do not count', async () => {
  let runs = 0;
  const job: Job = { name: 'put off', every_ms: 3_600_000, run: async () => `run ${(runs += 1)}` };
  const nodes = startNodes(1, [job]);
  await waitFor(async () => (await stateOf('put off'))?.last_result === 'run 1', { what: 'the first run' });
  await db.query(
    `update jobs set next_run_at = $1::timestamptz + interval '150 days' where name = 'put off'`,
    [clock.now()],
  );
  await waitFor(async () => (await stateOf('put off'))?.last_result === 'run 2', { what: 'the second run' });
  await db.query(
    `update jobs set next_run_at = $1, claimed_until = $1::timestamptz + interval '150 days' where name = 'put off'`,
    [clock.now()],
  );
  await waitFor(async () => (await stateOf('put off'))?.last_result === 'run 3', { what: 'the third run' });
  await stopAll(nodes);
});

test('a node that is late by an interval runs nothing again', async () => {
  let runs = 0;
  let polls = 0;
  const job: Job = { name: 'late', every_ms: 60_000, run: async () => `run ${(runs += 1)}` };
  const punctual = startNodes(1, [job]);
  await waitFor(async () => (await stateOf('late'))?.last_result === 'run 1', { what: 'the first run' });
  await stopAll(punctual);
  const late = startNodes(1, [job], {
    clock: { now: () => new Date(clock.now().getTime() - 59_999) },
    isSchemaKnown: async () => (polls += 1) > 0,
  });
  await waitFor(() => polls > 5, { what: 'some polls' });
  await stopAll(late);
  assert.equal(runs, 1);
  assert.equal((await stateOf('late'))?.next_run_at.getTime(), clock.now().getTime() + 60_000);
});

test('destructive jobs do not run while the time is in doubt', async () => {
  let runs = 0;
  let clockError: string | undefined = 'the clock of this node is 12960000 s ahead';
  const jobs: Job[] = [
    { name: 'deleting', every_ms: 60_000, destructive: true, run: async () => `run ${(runs += 1)}` },
    { name: 'harmless', every_ms: 60_000, run: async () => 'done' },
  ];
  const nodes = startNodes(1, jobs, { clockError: () => clockError });
  await waitFor(async () => (await stateOf('harmless'))?.last_result === 'done', { what: 'the other job' });
  assert.equal((await stateOf('deleting'))?.last_error, null, 'another node may have the right time');
  clock.advance(30_000);
  const refused = await waitFor(async () => (await stateOf('deleting'))?.last_error, { what: 'the refusal' });
  assert.equal(refused, 'not run: the clock of this node is 12960000 s ahead');
  assert.equal(runs, 0);
  clockError = undefined;
  clock.advance(60_000);
  await waitFor(async () => (await stateOf('deleting'))?.last_result === 'run 1', { what: 'the run' });
  await stopAll(nodes);
});

test('a node runs no job on a schema that it does not know', async () => {
  let isKnown = false;
  let asked = 0;
  const job: Job = { name: 'schooled', every_ms: 60_000, run: async () => 'done' };
  const isSchemaKnown = async (): Promise<boolean> => {
    asked += 1;
    return isKnown;
  };
  const nodes = startNodes(1, [job], { isSchemaKnown });
  await waitFor(() => asked >= 3, { what: 'a few looks' });
  assert.equal(await stateOf('schooled'), undefined);
  isKnown = true;
  await waitFor(async () => (await stateOf('schooled'))?.last_result === 'done', { what: 'the run' });
  await stopAll(nodes);
});

test('a lease is renewed while its job runs, so that no other node starts the job', async () => {
  let runs = 0;
  let isOver = false;
  const job: Job = {
    name: 'renewed',
    every_ms: 100_000_000,
    run: async () => {
      runs += 1;
      await waitFor(() => isOver, { what: 'the end of the run' });
      return `run ${runs}`;
    },
  };
  const nodes = startNodes(2, [job], { renew_every_ms: 5 });
  await waitFor(() => runs === 1, { what: 'the run' });
  for (let minutes = 0; minutes < 60; minutes += 20) {
    clock.advance(20 * 60_000);
    await waitFor(
      async () =>
        (
          await db.query(
            `select from jobs where name = 'renewed' and claimed_until = $1::timestamptz + interval '30 min'`,
            [clock.now()],
          )
        ).length > 0,
      { what: 'the renewal' },
    );
  }
  isOver = true;
  await waitFor(async () => (await stateOf('renewed'))?.last_result === 'run 1', { what: 'the record' });
  await stopAll(nodes);
  assert.equal(runs, 1);
});

test('a run whose lease another node took stops, and its record does not count', async () => {
  const stopped = Promise.withResolvers<void>();
  const job: Job = {
    name: 'taken',
    every_ms: 1_000_000,
    run: async ({ isStopping }) => {
      await db.query(`update jobs set lease = gen_random_uuid() where name = 'taken'`);
      await waitFor(isStopping, { what: 'the stop' });
      stopped.resolve();
      return 'of the first node';
    },
  };
  const nodes = startNodes(1, [job], { renew_every_ms: 5 });
  await stopped.promise;
  await stopAll(nodes);
  assert.equal((await stateOf('taken'))?.last_result, null);
});

test('a job that uses up its time yields to jobs that became due, and goes on where it ended', async () => {
  const order: string[] = [];
  let rows = 0;
  const long: Job = {
    name: 'much',
    every_ms: 1_000_000,
    budget_ms: 1,
    run: async ({ isStopping, position = '0', resumeAt }) => {
      order.push(`much from ${position}`);
      if (rows < 2) await waitFor(isStopping, { what: 'the end of its time' });
      resumeAt?.(String((rows += 1)));
      return `${rows} rows`;
    },
  };
  const short: Job = {
    name: 'little',
    every_ms: 1_000_000,
    run: async () => {
      order.push('little');
      return 'done';
    },
  };
  await db.query(`insert into jobs (name, next_run_at) values ('much', $1), ('little', $2)`, [
    new Date(clock.now().getTime() - 2),
    new Date(clock.now().getTime() - 1),
  ]);
  const nodes = startNodes(1, [long, short]);
  const done = await waitFor(
    async () => {
      const state = await stateOf('much');
      return state?.last_result === '3 rows' && state;
    },
    { what: 'the last run' },
  );
  await stopAll(nodes);
  assert.deepEqual(order, ['much from 0', 'little', 'much from 1', 'much from 2']);
  assert.equal(done.next_run_at.getTime(), clock.now().getTime() + 1_000_000);
  assert.deepEqual(await db.query(`select position from jobs where name = 'much'`), [{ position: null }]);
});
