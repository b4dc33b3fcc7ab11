import { foldStatsJob, purgeStatsJob } from '../activity/fold-stats.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import type { Job } from '../base/jobs/job.ts';
import { check_schedule } from '../installation/check-job.ts';
import { purgeInboundJob } from '../inbound/purge-inbound.ts';
import { purgeLoginsJob } from '../accounts/purge-logins.ts';
import { alerts_schedule, purgeAlertsJob } from '../alerts/evaluate-alerts.ts';
import { purgeBucketsJob } from '../limits/purge-buckets.ts';
import { purgeSandboxJob } from '../sandbox/purge-sandbox.ts';
import { expireSubmissionsJob } from '../forms/settle-submission.ts';
import { purgeUpdateLinksJob } from '../forms/update-links.ts';
import { dropSecretsJob } from '../mails/drop-secrets.ts';
import { partitionsJob } from '../mails/partitions.ts';
import { purgeIdempotencyKeysJob } from '../mails/purge-idempotency-keys.ts';
import { retentionJob } from '../mails/retention.ts';
import { purgeDeliveriesJob } from '../webhooks/purge-deliveries.ts';
import { replay_schedule } from '../rights/replay-erasures.ts';
import { list_schedule } from './erasure-list-file.ts';
import { renewal_schedule } from '../certificates/renewal-job.ts';
import { erasures_schedule } from '../rights/run-erasures.ts';
import { purgeUnverifiedJob, remind_schedule } from '../rights/remind-due.ts';

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
  purgeAlertsJob,
  expireSubmissionsJob,
  purgeUpdateLinksJob,
  purgeDeliveriesJob,
  purgeUnverifiedJob,
  dropSecretsJob,
];

/** How often each job runs. */
export const jobSchedules: Pick<Job, 'name' | 'every_ms'>[] = [
  ...jobs,
  remind_schedule,
  alerts_schedule,
  erasures_schedule,
  replay_schedule,
  list_schedule,
  check_schedule,
  renewal_schedule,
];
