import { sumOf, takeFullBalance } from '../../mails/conservation.ts';
import { listJobs } from '../../base/jobs/job-states.ts';
import type { Queryable } from '../../base/db/database.ts';
import { DatabaseClock } from '../../base/db/database-clock.ts';
import { listInstances } from '../../instances/instances.ts';
import type { Command } from '../command.ts';
import { jobs } from '../jobs.ts';
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

/** Later than this after it was due, a job has no node to run it; a service that was stopped for a while is no trouble. */
const overdue_ms = 86_400_000;

async function examineJobs(db: Queryable): Promise<string> {
  const states = await listJobs(db);
  if (states.length === 0) return 'none has run yet: no process with role jobs was started';
  const now = (await DatabaseClock.open(db)).now().getTime();
  const rhythms = new Map(jobs.map(({ name, every_ms }) => [name, every_ms]));
  const troubles = states.flatMap(({ name, last_error, next_run_at }) => {
    if (last_error !== null) return [`${name} failed: ${last_error}`];
    const wait = next_run_at.getTime() - now;
    if (wait < -overdue_ms) return [`${name} is overdue since ${next_run_at.toISOString()}`];
    return wait > (rhythms.get(name) ?? Infinity) + overdue_ms
      ? [`${name} was put off until ${next_run_at.toISOString()} by a node with a wrong clock`]
      : [];
  });
  if (troubles.length > 0) throw new Error(troubles.join('; '));
  return `${states.length} jobs, all of them on time`;
}

/** Of this machine against the database's, which is the one that counts. */
async function examineClock(db: Queryable): Promise<string> {
  const trouble = (await DatabaseClock.open(db)).trouble();
  if (trouble !== undefined) throw new Error(trouble);
  return 'in step with the database';
}

async function examineNodes(db: Queryable): Promise<string> {
  const nodes = await db.query<{ id: string; roles: string[]; version: string; silent: number }>(
    `select id, roles, version, extract(epoch from now() - seen_at)::integer as silent from nodes order by id`,
  );
  const list = nodes.map(
    ({ id, roles, version, silent }) => `${id} ${version} (${roles.join(',')}) seen ${silent} s ago`,
  );
  return list.length === 0 ? 'none is running' : list.join('; ');
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
      await examine('clock', async () => await examineClock(db)),
      await examine('nodes', async () => await examineNodes(db)),
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
