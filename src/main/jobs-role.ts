import { createJobRunner } from '../base/jobs/job-runner.ts';
import { checkJob } from './check-job.ts';
import { allChecks } from './checks.ts';
import { jobs } from './jobs.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Scheduled jobs, each on one node at a time. */
export function startJobs({ config, store, clock, log, node, clockTrouble }: ServiceContext): Running {
  const runner = createJobRunner({
    db: store.db,
    clock,
    log,
    node,
    jobs: [...jobs, checkJob(allChecks({ db: store.db, config, store }))],
    trouble: clockTrouble,
    isSchemaKnown: async () => await store.isSchemaKnown(),
  });
  runner.start();
  return runner;
}
