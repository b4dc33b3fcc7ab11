import { createJobRunner } from '../base/jobs/job-runner.ts';
import { jobs } from './jobs.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** What has to be done now and then, on one node at a time. */
export function startJobs({ store, clock, log }: ServiceContext): Running {
  const runner = createJobRunner({ db: store.db, clock, log, jobs });
  runner.start();
  return { stop: async () => await runner.stop() };
}
