import type { Job } from '../base/jobs/job.ts';
import { createJobRunner } from '../base/jobs/job-runner.ts';
import { checkJob } from '../installation/check-job.ts';
import { allChecks } from './checks.ts';
import { renewalJob } from '../certificates/renewal-job.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { alertsJob } from '../alerts/evaluate-alerts.ts';
import { remindRightsJob } from '../rights/remind-due.ts';
import { eraseReturnsJob } from '../rights/erase-returns.ts';
import { replayErasuresJob } from '../rights/replay-erasures.ts';
import { erasureListJob } from './erasure-list-file.ts';
import { erasuresJob } from '../rights/run-erasures.ts';
import { forwardsJob } from '../received/forwards/send-forwards.ts';
import { forwardMailing } from './forward-mailer.ts';
import { jobs } from './jobs.ts';
import { platformMail } from './platform-mailer.ts';
import { readVersion } from './version.ts';
import type { Running, ServiceContext } from './service-context.ts';

/**
 * Scheduled jobs, each on one node at a time. A runner runs one job after the other; erasures and replays have runners of their own,
 * since they work through everything that tenants hold.
 */
export function startJobs(context: ServiceContext): Running {
  const { config, store, secret, clock, log, node, clockError } = context;
  const lanes = [
    [
      ...jobs,
      alertsJob({ ...platformMail(context), base_url: config.base_url }),
      remindRightsJob({ ...platformMail(context), base_url: config.base_url }),
      erasureListJob(config.data_dir),
      checkJob(allChecks({ db: store.db, config, store })),
      ...renewal(context),
    ],
    [forwardsJob(forwardMailing(context))],
    [erasuresJob(log)],
    [replayErasuresJob(new ContactHashes(secret))],
    [eraseReturnsJob(new ContactHashes(secret))],
  ];
  const runners = lanes.map((lane) =>
    createJobRunner({
      db: store.db,
      clock,
      log,
      node,
      jobs: lane,
      trouble: clockError,
      isSchemaKnown: async () => await store.isSchemaKnown(),
    }),
  );
  for (const runner of runners) runner.start();
  return {
    async stop() {
      await Promise.all(runners.map(async (runner) => await runner.stop()));
    },
    abort() {
      for (const runner of runners) runner.abort();
    },
  };
}

/** Where an authority is set up. */
function renewal({ config, secret }: ServiceContext): Job[] {
  const { acme_directory: directory, acme_names: names, acme_email: email } = config;
  if (directory === undefined) return [];
  return [renewalJob({ directory, names, email, secret, user_agent: `chasqui/${readVersion()}` })];
}
