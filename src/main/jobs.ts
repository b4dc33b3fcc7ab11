import { foldStatsJob, purgeStatsJob } from '../activity/fold-stats.ts';
import { sumSmallGroupsJob } from '../activity/sum-small-groups.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import type { Job } from '../base/jobs/job.ts';
import { checkSchedule } from '../installation/check-job.ts';
import { purgeRecipientsJob } from '../broadcasts/purge-recipients.ts';
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
import { retentionJob, shortRetentionJob } from '../mails/retention.ts';
import { purgeDeliveriesJob } from '../webhooks/purge-deliveries.ts';
import { returnsSchedule } from '../rights/erase-returns.ts';
import { forwardsSchedule } from '../received/forwards/send-forwards.ts';
import { replaySchedule } from '../rights/replay-erasures.ts';
import { listSchedule } from './erasure-list-file.ts';
import { renewalSchedule } from '../certificates/renewal-job.ts';
import { erasuresSchedule } from '../rights/run-erasures.ts';
import { purgeUnverifiedJob, remindSchedule } from '../rights/remind-due.ts';

/**
 * Every job of the service that needs nothing but the database. A lane runs one job after the other, so no lane waits for another:
 * statistics and the index of subjects stay current while millions of mails are being deleted.
 */
export const jobLanes = {
  statistics: [foldStatsJob],
  upkeep: [partitionsJob, indexSubjectsJob, expireSubmissionsJob, dropSecretsJob],
  deletion: [
    retentionJob,
    shortRetentionJob,
    purgeIdempotencyKeysJob,
    purgeStatsJob,
    sumSmallGroupsJob,
    purgeSandboxJob,
    purgeInboundJob,
    purgeReceivedJob,
    purgeLoginsJob,
    purgeBucketsJob,
    purgeAlertsJob,
    purgeUpdateLinksJob,
    purgeDeliveriesJob,
    purgeRecipientsJob,
    purgeUnverifiedJob,
  ],
} satisfies Record<string, Job[]>;

export const jobs: Job[] = Object.values(jobLanes).flat();

/** How often each job runs. */
export const jobSchedules: Pick<Job, 'name' | 'every_ms'>[] = [
  ...jobs,
  remindSchedule,
  forwardsSchedule,
  alertsSchedule,
  erasuresSchedule,
  replaySchedule,
  returnsSchedule,
  listSchedule,
  checkSchedule,
  renewalSchedule,
];
