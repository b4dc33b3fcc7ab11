import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '../../base/db/database.ts';
import { listJobs, makeJobDue, type JobState } from '../../base/jobs/job-states.ts';
import { endWait } from '../../certificates/acme-account.ts';
import { renewalSchedule } from '../../certificates/renewal-job.ts';
import type { Command } from '../command.ts';
import { withStore } from './with-store.ts';

/** An order takes seconds; its longest wait is that of the authority. */
const waitMs = 120_000;
const pollMs = 250;

async function findJob(db: Queryable): Promise<JobState | undefined> {
  return (await listJobs(db)).find(({ name }) => name === renewalSchedule.name);
}

/** The run after `before`; undefined when no node made it in time. */
async function nextRun(db: Queryable, before: JobState | undefined): Promise<JobState | undefined> {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    const job = await findJob(db);
    if (job?.last_run_at && job.last_run_at > (before?.last_run_at ?? new Date(0))) return job;
    await delay(pollMs);
  }
  return undefined;
}

export const certificateRetry: Command = {
  name: 'certificate retry',
  arguments: '',
  summary:
    'Has a node with role jobs order the certificate now, without the wait after a failure; exits 1 if it fails again.',
  options: {},
  example: 'chasqui certificate retry',
  async run({ env }) {
    return await withStore(env, async (db, { config: { acme_directory: directory } }) => {
      if (directory === undefined)
        throw new Error('CHASQUI_ACME_DIRECTORY is not set: there is no authority to ask.');
      const before = await findJob(db);
      await endWait(db, directory);
      await makeJobDue(db, renewalSchedule.name);
      const run = await nextRun(db, before);
      const error = run ? run.last_error : 'No node with role jobs ordered it within two minutes.';
      if (error !== null) process.exitCode = 1;
      const result = run?.last_result ?? null;
      const json = { ok: error === null, directory, result: error === null ? result : null, error };
      return {
        text: error === null ? `${result}` : `It failed: ${error}\n\`chasqui doctor\` says what to do.`,
        json,
      };
    });
  },
};
