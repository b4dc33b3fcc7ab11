import type { Job } from '../base/jobs/job.ts';
import { createJobRunner } from '../base/jobs/job-runner.ts';
import { checkJob } from '../installation/check-job.ts';
import { allChecks } from './checks.ts';
import { makeJobDue } from '../base/jobs/job-states.ts';
import { findCertificate } from '../certificates/certificate-store.ts';
import { isAsConfigured, renewalJob, renewalSchedule } from '../certificates/renewal-job.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { createBroadcastRunner } from '../broadcasts/broadcast-runner.ts';
import { alertsJob } from '../alerts/evaluate-alerts.ts';
import { remindRightsJob } from '../rights/remind-due.ts';
import { eraseReturnsJob } from '../rights/erase-returns.ts';
import { replayErasuresJob } from '../rights/replay-erasures.ts';
import { erasureListJob } from './erasure-list-file.ts';
import { erasuresJob } from '../rights/run-erasures.ts';
import { forwardsJob } from '../received/forwards/send-forwards.ts';
import { forwardMailing } from './forward-mailer.ts';
import { jobLanes } from './jobs.ts';
import { platformMail } from './platform-mailer.ts';
import { readVersion } from './version.ts';
import type { Running, ServiceContext } from './service-context.ts';

/**
 * Scheduled jobs, each on one node at a time. A runner runs the jobs of its lane one after the other; broadcasts are worked on beside
 * them, a turn each.
 */
export async function startJobs(context: ServiceContext): Promise<Running> {
  await orderIfChanged(context);
  const { config, store, secret, clock, log, node, clockError } = context;
  const lanes = [
    jobLanes.statistics,
    [
      ...jobLanes.upkeep,
      alertsJob({ ...platformMail(context), base_url: config.base_url }),
      remindRightsJob({ ...platformMail(context), base_url: config.base_url }),
      erasureListJob(config.data_dir),
    ],
    jobLanes.deletion,
    [checkJob(allChecks({ db: store.db, config, store })), ...renewal(context)],
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
      clockError,
      isSchemaKnown: async () => await store.isSchemaKnown(),
    }),
  );
  const { notifications, acceptance, renderer } = context;
  const broadcasts = createBroadcastRunner({
    db: store.db,
    notifications,
    clock,
    log,
    node,
    acceptance,
    renderer,
  });
  const all = [...runners, broadcasts];
  for (const runner of all) runner.start();
  return {
    async stop() {
      await Promise.all(all.map(async (runner) => await runner.stop()));
    },
    abort() {
      for (const runner of all) runner.abort();
    },
  };
}

/** A start with another authority or other names orders at once, and does not wait for the next turn of the job. */
async function orderIfChanged({ config, store, secret }: ServiceContext): Promise<void> {
  const { acme_directory: directory, acme_names: names } = config;
  if (directory === undefined) return;
  const stored = await findCertificate(store.db, secret);
  if (stored === undefined || !isAsConfigured(stored, { directory, names }))
    await makeJobDue(store.db, renewalSchedule.name);
}

/** Where an authority is set up. */
function renewal({ config, secret }: ServiceContext): Job[] {
  const { acme_directory: directory, acme_names: names, acme_email: email } = config;
  if (directory === undefined) return [];
  return [renewalJob({ directory, names, email, secret, user_agent: `chasqui/${readVersion()}` })];
}
