import { foldStatsJob, purgeStatsJob } from '../activity/fold-stats.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import type { Job } from '../base/jobs/job.ts';
import { checkSchedule } from '../installation/check-job.ts';
import { purgeInboundJob } from '../inbound/purge-inbound.ts';
import { purgeLoginsJob } from '../accounts/purge-logins.ts';
import { alertsSchedule, purgeAlertsJob } from '../alerts/evaluate-alerts.ts';
import { purgeBucketsJob } from '../limits/purge-buckets.ts';
import { purgeReceivedJob } from '../received/purge-received.ts';
import { purgeSandboxJob } from '../sandbox/purge-sandbox.ts';
import { expireSubmissionsJob } from '../forms/settle-submission.ts';
import { purgeUpdateLinksJob } from '../forms/update-links.ts';
import { dropSecretsJob } from '../mails/drop-secrets.ts';
import { partitionsJob } from '../mails/partitions.ts';
import { purgeIdempotencyKeysJob } from '../mails/purge-idempotency-keys.ts';
import { retentionJob } from '../mails/retention.ts';
import { purgeDeliveriesJob } from '../webhooks/purge-deliveries.ts';
import { forwardsSchedule } from '../received/forwards/send-forwards.ts';
import { replaySchedule } from '../rights/replay-erasures.ts';
import { listSchedule } from './erasure-list-file.ts';
import { renewalSchedule } from '../certificates/renewal-job.ts';
import { erasuresSchedule } from '../rights/run-erasures.ts';
import { purgeUnverifiedJob, remindSchedule } from '../rights/remind-due.ts';

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
  purgeReceivedJob,
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
  remindSchedule,
  forwardsSchedule,
  alertsSchedule,
  erasuresSchedule,
  replaySchedule,
  listSchedule,
  checkSchedule,
  renewalSchedule,
];
