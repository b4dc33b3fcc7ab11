import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { Job } from './job.ts';

interface JobRunnerOptions {
  db: Database;
  clock: Clock;
  log: Log;
  jobs: Job[];
  /** How often the table is looked at. */
  look_every_ms?: number;
}

export interface JobRunner {
  start(): void;
  stop(): Promise<void>;
}

/** Longer than any run takes; jobs work in batches and stop between them when they are told to. */
const claim_ms = 30 * 60_000;
/** After a failure; sooner when the job is due anyway. */
const retry_ms = 60_000;

/**
 * Every node with this role looks which jobs are due and claims them row by row, so that each is run once, by one of
 * them. Nothing is held open meanwhile.
 */
export function createJobRunner({
  db,
  clock,
  log,
  jobs,
  look_every_ms = 1_000,
}: JobRunnerOptions): JobRunner {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const byName = new Map(jobs.map((job) => [job.name, job]));

  async function claim(): Promise<string[]> {
    const now = clock.now();
    const rows = await db.query<{ name: string }>(
      `update jobs set claimed_until = $2 where name in (
         select name from jobs where name = any ($3::text[]) and next_run_at <= $1
           and (claimed_until is null or claimed_until <= $1)
         for update skip locked
       ) returning name`,
      [now, new Date(now.getTime() + claim_ms), [...byName.keys()]],
    );
    return rows.map(({ name }) => name);
  }

  async function runOne(job: Job): Promise<void> {
    const now = clock.now();
    const began = performance.now();
    const end = await job.run({ db, now, isStopping: () => stopping.signal.aborted }).then(
      (result) => ({ result, error: null }),
      (error: unknown) => {
        log.error({ err: error, job: job.name }, 'a job failed');
        return { result: null, error: (error as Error).message };
      },
    );
    const wait = end.error === null ? job.every_ms : Math.min(job.every_ms, retry_ms);
    await db.query(
      `update jobs set claimed_until = null, last_run_at = $2, next_run_at = $3, last_duration_ms = $4,
         last_error = left($5, 1000), last_result = left(coalesce($6, last_result), 1000),
         last_success_at = case when $5 is null then $2 else last_success_at end
       where name = $1`,
      [
        job.name,
        now,
        new Date(now.getTime() + wait),
        Math.round(performance.now() - began),
        end.error,
        end.result,
      ],
    );
  }

  async function look(): Promise<void> {
    // One after the other: none of them is urgent, and together they would take the database from others.
    for (const name of await claim()) {
      const job = byName.get(name);
      if (job) await runOne(job);
    }
  }

  async function run(): Promise<void> {
    let known = false;
    while (!stopping.signal.aborted) {
      try {
        if (!known) await register(db, jobs, clock.now());
        known = true;
        await look();
      } catch (error) {
        log.warn({ err: error }, 'jobs could not be looked at');
      }
      await delay(look_every_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Due at once. A job that is run more often from now on does not wait for the moment it was put off to. */
async function register(db: Database, jobs: Job[], now: Date): Promise<void> {
  await db.query(
    `insert into jobs as present (name, next_run_at)
     select name, $3 from unnest($1::text[], $2::bigint[]) as given (name, every_ms)
     on conflict (name) do update set next_run_at = least(present.next_run_at,
       $3::timestamptz + make_interval(secs => (
         select every_ms / 1000.0 from unnest($1::text[], $2::bigint[]) as given (name, every_ms)
         where given.name = excluded.name
       )))`,
    [jobs.map(({ name }) => name), jobs.map(({ every_ms }) => every_ms), now],
  );
}
