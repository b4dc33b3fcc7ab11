import type { Clock } from '../clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import { storableText } from '../db/storable-text.ts';
import { isLost, type Node, type ReleaseLeases } from '../engine/node.ts';
import { createWorker, type Worker } from '../engine/worker.ts';
import type { Log } from '../log.ts';
import { limitRun, nextRunAt } from './job-run.ts';
import type { Job, JobContext } from './job.ts';
import { keepLease } from './keep-lease.ts';

interface JobRunnerOptions {
  db: Database;
  clock: Clock;
  log: Log;
  node: Pick<Node, 'claim'>;
  jobs: Job[];
  /** Why destructive jobs must not run now, such as a wrong clock. */
  clockError?: () => string | undefined;
  /** False when a newer version has migrated the database. */
  isSchemaKnown?: () => Promise<boolean>;
  poll_every_ms?: number;
  renew_every_ms?: number;
}

/** A leased job. */
interface DueJob {
  name: string;
  lease: string;
  position: string | null;
}

interface Run extends Omit<DueJob, 'position'> {
  began_at: Date;
  next_run_at: Date;
  duration_ms: number;
  result: string | null;
  error: string | null;
  /** Where the next run begins. */
  position: string | null;
}

/** Renewed during the run. Nodes of earlier versions do not renew theirs, and take longer ones for those of a wrong clock. */
const lease_ms = 30 * 60_000;
const renewEveryMs = 60_000;
/** A node that must not run a job leaves it to others for so long, and then records why it did not run. */
const leftToOthersMs = 30_000;

/**
 * The job that is most overdue. A due time further ahead than two intervals of the job, or a lease longer than two of
 * `lease_ms`, was written by a node with a wrong clock and is ignored. One interval may be the delay of this statement.
 */
const claim = `
  update jobs set claimed_until = $1::timestamptz + $4 * interval '1 millisecond', lease = $5
  where name = (
    select j.name from jobs j
    join unnest($2::text[], $3::bigint[], $6::integer[]) as known (name, every_ms, left_ms) on known.name = j.name
    where (j.next_run_at <= $1::timestamptz - known.left_ms * interval '1 millisecond'
        or j.next_run_at > $1::timestamptz + known.every_ms * interval '2 milliseconds')
      and (j.claimed_until is null or j.claimed_until <= $1
        or j.claimed_until > $1::timestamptz + $4 * interval '2 milliseconds')
    order by j.next_run_at limit 1 for update of j skip locked)
  returning name, position`;
const record = `
  update jobs set claimed_until = null, lease = null, last_run_at = $3, next_run_at = $4, last_duration_ms = $5,
    last_error = left($6, 1000), last_result = left(coalesce($7, last_result), 1000),
    last_success_at = case when $6::text is null then $3 else last_success_at end, position = $8
  where name = $1 and lease = $2`;

/** A job that was leased to a dead node is due at once. */
export const releaseJobLeases: ReleaseLeases = async (tx, { nodes, leases }) =>
  (
    await tx.query(
      `update jobs set claimed_until = null, lease = null where ${isLost('lease')} returning 1`,
      [nodes, leases],
    )
  ).length;

/** Every node with the role polls for due jobs and leases one at a time, so that each run happens once. */
export function createJobRunner(options: JobRunnerOptions): Worker<DueJob> {
  const { db, clock, log, node, jobs, poll_every_ms = 1_000, renew_every_ms = renewEveryMs } = options;
  const byName = new Map(jobs.map((job) => [job.name, job]));
  let isStopping = false;
  let isRegistered = false;

  async function claimNext(): Promise<{ items: DueJob[]; wait_ms: number }> {
    // One at a time: none is urgent, and together they would slow the database down for everything else.
    if (worker.unfinished() > 0 || (await options.isSchemaKnown?.()) === false)
      return { items: [], wait_ms: poll_every_ms };
    if (!isRegistered) await register(db, jobs, clock.now());
    isRegistered = true;
    return { items: await node.claim(claimUnder), wait_ms: poll_every_ms };
  }

  async function claimUnder(lease: string): Promise<DueJob[]> {
    const isTrusted = options.clockError?.() === undefined;
    const rows = await db.query<Omit<DueJob, 'lease'>>(claim, [
      clock.now(),
      jobs.map(({ name }) => name),
      jobs.map(({ every_ms }) => every_ms),
      lease_ms,
      lease,
      jobs.map(({ destructive = false }) => (destructive && !isTrusted ? leftToOthersMs : 0)),
    ]);
    return rows.map((row) => ({ ...row, lease }));
  }

  async function runOne(due: DueJob): Promise<Run | undefined> {
    const job = byName.get(due.name);
    if (!job) return undefined;
    const began_at = clock.now();
    const began = performance.now();
    const lease = keepLease({ db, clock, lease_ms, every_ms: renew_every_ms }, due);
    const run = limitRun(job, { isStopping: () => isStopping || !lease.isHeld(), position: due.position });
    const end = await runJob(job, { db, now: began_at, ...run.context }).finally(() => lease.stop());
    return {
      name: due.name,
      lease: due.lease,
      ...end,
      began_at,
      next_run_at: nextRunAt(job, { began_at, now: clock.now(), ...end, is_cut: run.isCut() }),
      duration_ms: Math.round(performance.now() - began),
      position: run.isCut() ? run.position() : null,
    };
  }

  async function runJob(
    job: Job,
    context: JobContext,
  ): Promise<{ result: string | null; error: string | null }> {
    try {
      const clockError = job.destructive === true ? options.clockError?.() : undefined;
      if (clockError !== undefined) throw new Error(`not run: ${clockError}`);
      return { result: await job.run(context), error: null };
    } catch (error) {
      log.error({ err: error as Error, job: job.name }, 'job failed');
      return { result: null, error: (error as Error).message };
    }
  }

  const worker = createWorker<DueJob, Run, void>({
    name: 'jobs',
    log,
    claim: claimNext,
    attempt: runOne,
    max_recorded: 1,
    lease_ms,
    record: async (runs) => await Promise.all(runs.map(async (run) => await recordRun(db, run))),
    onFinished: () => worker.wake(),
  });
  return {
    ...worker,
    async stop() {
      isStopping = true;
      await worker.stop();
    },
  };
}

async function recordRun(db: Queryable, run: Run): Promise<void> {
  const { name, lease, began_at, next_run_at, duration_ms, error, result, position } = run;
  const [storedError, storedResult] = [error, result].map((text) => text && storableText(text));
  const values = [name, lease, began_at, next_run_at, duration_ms, storedError, storedResult, position];
  await db.query(record, values);
}

/** A new job is due at once. One whose interval became much shorter is too: see `claim`. */
async function register(db: Database, jobs: Job[], now: Date): Promise<void> {
  await db.query(
    `insert into jobs (name, next_run_at) select name, $2 from unnest($1::text[]) as given (name) on conflict do nothing`,
    [jobs.map(({ name }) => name), now],
  );
}
