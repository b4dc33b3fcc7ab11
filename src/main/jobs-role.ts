import type { Job } from '../base/jobs/job.ts';
import { createJobRunner } from '../base/jobs/job-runner.ts';
import { checkJob } from './check-job.ts';
import { allChecks } from './checks.ts';
import { renewalJob } from '../certificates/renewal-job.ts';
import { ContactHashes } from '../restrictions/contact-hash.ts';
import { remindRightsJob } from '../rights/remind-due.ts';
import { replayErasuresJob } from '../rights/replay-erasures.ts';
import { erasureListJob } from './erasure-list-file.ts';
import { jobs } from './jobs.ts';
import { platformMail } from './platform-mailer.ts';
import { readVersion } from './version.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Scheduled jobs, each on one node at a time. */
export function startJobs(context: ServiceContext): Running {
  const { config, store, secret, clock, log, node, clockTrouble } = context;
  const runner = createJobRunner({
    db: store.db,
    clock,
    log,
    node,
    jobs: [
      ...jobs,
      remindRightsJob({ ...platformMail(context), base_url: config.base_url }),
      replayErasuresJob(new ContactHashes(secret)),
      erasureListJob(config.data_dir),
      checkJob(allChecks({ db: store.db, config, store })),
      ...renewal(context),
    ],
    trouble: clockTrouble,
    isSchemaKnown: async () => await store.isSchemaKnown(),
  });
  runner.start();
  return runner;
}

/** Where an authority is set up. */
function renewal({ config, secret }: ServiceContext): Job[] {
  const { acme_directory: directory, acme_names: names, acme_email: email } = config;
  if (directory === undefined) return [];
  return [renewalJob({ directory, names, email, secret, user_agent: `chasqui/${readVersion()}` })];
}
