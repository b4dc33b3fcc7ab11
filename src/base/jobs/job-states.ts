import { Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../db/database.ts';
import type { Log } from '../log.ts';

export interface JobState {
  name: string;
  next_run_at: Date;
  last_run_at: Date | null;
  last_success_at: Date | null;
  last_duration_ms: number | null;
  last_error: string | null;
  last_result: string | null;
}

export async function listJobs(db: Queryable): Promise<JobState[]> {
  return await db.query<JobState>(
    `select name, next_run_at, last_run_at, last_success_at, last_duration_ms, last_error, last_result
     from jobs order by name`,
  );
}

/** Makes the job due; the next node that looks runs it. False when there is no such job. */
export async function makeJobDue(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query(
    'update jobs set next_run_at = least(next_run_at, now()) where name = $1 returning name',
    [name],
  );
  return rows.length > 0;
}

/** Reads the table, so that every node reports the jobs, also one that runs none. */
export function watchJobs({ db, registry, log }: { db: Queryable; registry: Registry; log: Log }): void {
  const success = new Gauge({
    name: 'chasqui_job_success_seconds',
    help: 'Unix time of the last successful run of each job.',
    labelNames: ['job'],
    registers: [registry],
    async collect() {
      try {
        for (const job of await listJobs(db)) show(job);
      } catch (error) {
        log.warn({ err: error }, 'could not read the state of the jobs');
      }
    },
  });
  const failed = new Gauge({
    name: 'chasqui_job_failed',
    help: 'Whether the last run of each job failed (0 or 1).',
    labelNames: ['job'],
    registers: [registry],
  });
  const duration = new Gauge({
    name: 'chasqui_job_duration_seconds',
    help: 'Duration of the last run of each job.',
    labelNames: ['job'],
    registers: [registry],
  });

  function show({ name, last_success_at, last_duration_ms, last_error }: JobState): void {
    if (last_success_at) success.set({ job: name }, last_success_at.getTime() / 1000);
    failed.set({ job: name }, last_error === null ? 0 : 1);
    duration.set({ job: name }, (last_duration_ms ?? 0) / 1000);
  }
}
