import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Database } from '../db/database.ts';
import { createLog } from '../log.ts';
import { createJobRunner, type JobRunner } from './job-runner.ts';
import { listJobs, type JobState } from './job-states.ts';
import type { Job } from './job.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  const { connection } = database;
  db = new Database({ connection, pool_size: 6, pipelines: 1, on_error: () => undefined });
});
after(async () => {
  await db.end();
  await database.drop();
});

const log = createLog('silent', { write: () => undefined });
const clock = createMovableClock('2026-11-01T00:00:00Z');
const look_every_ms = 5;

function startNodes(count: number, jobs: Job[]): JobRunner[] {
  return Array.from({ length: count }, () => {
    const runner = createJobRunner({ db, clock, log, jobs, look_every_ms });
    runner.start();
    return runner;
  });
}
const stopAll = async (nodes: JobRunner[]): Promise<void> => {
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

test('what a dead node had claimed is run by another when the claim is over', async () => {
  await db.query(`insert into jobs (name, next_run_at, claimed_until) values ('orphaned', $1, $2)`, [
    clock.now(),
    new Date(clock.now().getTime() + 1_000),
  ]);
  let runs = 0;
  const job: Job = { name: 'orphaned', every_ms: 1_000_000, run: async () => `run ${(runs += 1)}` };
  const nodes = startNodes(2, [job]);
  await waitFor(async () => (await stateOf('counted')) !== undefined, { what: 'a look at the table' });
  assert.equal(runs, 0);
  clock.advance(1_000);
  await waitFor(async () => (await stateOf('orphaned'))?.last_result === 'run 1', { what: 'the run' });
  await stopAll(nodes);
});
