import { foldStatsJob, purgeStatsJob } from '../activity/fold-stats.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import type { Job } from '../base/jobs/job.ts';
import { purgeInboundJob } from '../inbound/purge-inbound.ts';
import { purgeLoginsJob } from '../accounts/purge-logins.ts';
import { purgeBucketsJob } from '../limits/purge-buckets.ts';
import { purgeSandboxJob } from '../sandbox/purge-sandbox.ts';
import { expireSubmissionsJob } from '../forms/settle-submission.ts';
import { purgeUpdateLinksJob } from '../forms/update-links.ts';
import { dropSecretsJob } from '../mails/drop-secrets.ts';
import { partitionsJob } from '../mails/partitions.ts';
import { purgeIdempotencyKeysJob } from '../mails/purge-idempotency-keys.ts';
import { retentionJob } from '../mails/retention.ts';
import { purgeDeliveriesJob } from '../webhooks/purge-deliveries.ts';
import { replay_rhythm } from '../rights/replay-erasures.ts';
import { list_rhythm } from './erasure-list-file.ts';
import { renewal_rhythm } from '../certificates/renewal-job.ts';
import { erasures_rhythm } from '../rights/run-erasures.ts';
import { purgeUnverifiedJob, remind_rhythm } from '../rights/remind-due.ts';

/** Every job of the service that needs nothing but the database, room by room. */
export const jobs: Job[] = [
  partitionsJob,
  retentionJob,
  purgeIdempotencyKeysJob,
  foldStatsJob,
  indexSubjectsJob,
  purgeStatsJob,
  purgeSandboxJob,
  purgeInboundJob,
  purgeLoginsJob,
  purgeBucketsJob,
  expireSubmissionsJob,
  purgeUpdateLinksJob,
  purgeDeliveriesJob,
  purgeUnverifiedJob,
  dropSecretsJob,
];

/** Made at the start, since it needs the configuration: see `check-job.ts`. */
export const check_job = { name: 'checks', every_ms: 3_600_000 } as const;

/** How often each job runs. */
export const jobRhythms: Pick<Job, 'name' | 'every_ms'>[] = [
  ...jobs,
  remind_rhythm,
  erasures_rhythm,
  replay_rhythm,
  list_rhythm,
  check_job,
  renewal_rhythm,
];
