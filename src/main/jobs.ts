import { foldStatsJob, purgeStatsJob } from '../activity/fold-stats.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import { createJobRunner } from '../base/jobs/job-runner.ts';
import type { Job } from '../base/jobs/job.ts';
import { purgeInboundJob } from '../inbound/purge-inbound.ts';
import { purgeLoginsJob } from '../accounts/purge-logins.ts';
import { purgeBucketsJob } from '../limits/purge-buckets.ts';
import { purgeSandboxJob } from '../sandbox/purge-sandbox.ts';
import { expireSubmissionsJob } from '../forms/settle-submission.ts';
import { partitionsJob } from '../mails/partitions.ts';
import { retentionJob } from '../mails/retention.ts';
import { purgeDeliveriesJob } from '../webhooks/purge-deliveries.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Every job of the service, room by room. */
export const jobs: Job[] = [
  partitionsJob,
  retentionJob,
  foldStatsJob,
  indexSubjectsJob,
  purgeStatsJob,
  purgeSandboxJob,
  purgeInboundJob,
  purgeLoginsJob,
  purgeBucketsJob,
  expireSubmissionsJob,
  purgeDeliveriesJob,
];

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
