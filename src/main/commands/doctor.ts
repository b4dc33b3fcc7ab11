import { sumOf, takeFullBalance } from '../../mails/conservation.ts';
import { listJobs } from '../../base/jobs/job-states.ts';
import type { Queryable } from '../../base/db/database.ts';
import { listInstances } from '../../instances/instances.ts';
import type { Command } from '../command.ts';
import { openRootSecret, requireSameSecret } from '../root-secret.ts';
import { describeCheck, verifyChains } from './consent-verify.ts';
import { withStore } from './with-store.ts';

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
}

async function examine(check: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, detail: await look() };
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message };
  }
}

/** Every accepted mail has one status, and exactly those that wait have a place in the queue. */
async function examineMails(db: Queryable): Promise<string> {
  const { statuses, violations, accepted, is_conserved } = await takeFullBalance(db, new Date());
  const counts = Object.entries(statuses).map(([name, count]) => `${count} ${name}`);
  const sum = `${accepted} accepted = ${counts.join(' + ')}`;
  if (is_conserved) return sum;
  const { not_queued, still_queued, orphaned } = violations;
  throw new Error(
    `${sum.replace('=', sumOf(statuses) === accepted ? '=' : '≠')}; ${not_queued} wait without a place in the queue, ` +
      `${still_queued} are done and still in it, ${orphaned} places are without a mail`,
  );
}

/** Later than this after it was due, a job has nobody to run it; a service that was stopped for a while is no trouble. */
const overdue_ms = 86_400_000;

async function examineJobs(db: Queryable): Promise<string> {
  const jobs = await listJobs(db);
  if (jobs.length === 0) return 'none has run yet: no process with role jobs was started';
  const now = Date.now();
  const troubles = jobs.flatMap(({ name, last_error, next_run_at }) => {
    if (last_error !== null) return [`${name} failed: ${last_error}`];
    return now - next_run_at.getTime() > overdue_ms
      ? [`${name} is overdue since ${next_run_at.toISOString()}`]
      : [];
  });
  if (troubles.length > 0) throw new Error(troubles.join('; '));
  return `${jobs.length} jobs, all of them on time`;
}

/** Every instance's evidence is as it was recorded. */
async function examineConsents(db: Queryable): Promise<string> {
  const checks = await verifyChains(db, await listInstances(db));
  const broken = checks.filter(({ is_intact }) => !is_intact);
  if (broken.length > 0) throw new Error(broken.map(describeCheck).join('; '));
  const rows = checks.reduce((sum, { checked }) => sum + checked, 0);
  return `${rows} rows of evidence in ${checks.length} instances, none tampered with`;
}

export const doctor: Command = {
  name: 'doctor',
  arguments: '',
  summary: 'Examines configuration, database, schema, secret, jobs and mails, and says what is wrong.',
  options: {},
  example: 'chasqui doctor',
  async run({ env }) {
    const findings = await withStore(env, async (db, { config, store }) => [
      await examine(
        'configuration',
        async () => `base URL ${config.base_url}, platform domain ${config.platform_domain}`,
      ),
      await examine('database', async () => {
        const [row] = await db.query<{ version: string }>(
          "select current_setting('server_version') as version",
        );
        return `${store.description}, version ${row?.version}`;
      }),
      await examine('schema', async () => {
        const [row] = await db.query<{ count: number }>('select count(*) from schema_migrations');
        return `${row?.count} migrations, none pending`;
      }),
      await examine('root secret', async () => {
        await requireSameSecret(db, await openRootSecret(config));
        return 'matches the one this database was set up with';
      }),
      await examine('jobs', async () => await examineJobs(db)),
      await examine('mails', async () => await examineMails(db)),
      await examine('consents', async () => await examineConsents(db)),
    ]);
    const text = findings.map(
      ({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(14)} ${detail}`,
    );
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    return { text: text.join('\n'), json: { ok: findings.every(({ ok }) => ok), findings } };
  },
};
