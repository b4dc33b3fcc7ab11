import { createJobRunner } from '../base/jobs/job-runner.ts';
import { jobs } from './jobs.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Scheduled jobs, each on one node at a time. */
export function startJobs({ store, clock, log, node, clockTrouble }: ServiceContext): Running {
  const runner = createJobRunner({
    db: store.db,
    clock,
    log,
    node,
    jobs,
    trouble: clockTrouble,
    isSchemaKnown: async () => await store.isSchemaKnown(),
  });
  runner.start();
  return runner;
}
