import { compareCounts } from '../activity/compare-counts.ts';
import type { Config } from '../base/config.ts';
import { everyPage } from '../base/http/every-page.ts';
import { readMigrations } from '../base/db/migrations.ts';
import { requireCurrentSchema } from '../base/db/schema-state.ts';
import { sumOf, reconcileWholeQueue } from '../mails/conservation.ts';
import { listJobs } from '../base/jobs/job-states.ts';
import type { Queryable } from '../base/db/database.ts';
import { DatabaseClock } from '../base/db/database-clock.ts';
import { listInstances } from '../instances/instances.ts';
import { describeCheck, verifyChains } from './commands/consent-verify.ts';
import { CheckFailure, type Check } from '../installation/check.ts';
import { jobSchedules } from './jobs.ts';
import { describeRootSecret } from './root-secret.ts';
import { listErasuresUnderWay } from '../rights/erasures-under-way.ts';
import { migrationsFolder, type Store } from './store.ts';
import { externalChecks } from './external-checks/external-checks.ts';

/** Every accepted mail has one status, and exactly those that wait have a place in the queue. */
export async function examineMails(db: Queryable): Promise<string> {
  const { statuses, violations, accepted, is_conserved } = await reconcileWholeQueue(db, new Date());
  const counts = Object.entries(statuses).map(([name, count]) => `${count} ${name}`);
  const sum = `${accepted} accepted = ${counts.join(' + ')}`;
  if (is_conserved) return sum;
  const { not_queued, still_queued, orphaned } = violations;
  throw new Error(
    `${sum.replace('=', sumOf(statuses) === accepted ? '=' : '≠')}; ${not_queued} wait without a place in the queue, ` +
      `${still_queued} are done and still in it, ${orphaned} places are without a mail`,
  );
}

/** Later than this after it was due, a job has no node to run it; a service that was stopped for a while is not a problem. */
const overdueMs = 86_400_000;

async function examineJobs(db: Queryable): Promise<string> {
  const states = await listJobs(db);
  if (states.length === 0) return 'none has run yet: no process with role jobs was started';
  const now = (await DatabaseClock.open(db)).now().getTime();
  const schedules = new Map(jobSchedules.map(({ name, every_ms }) => [name, every_ms]));
  const failures = states.flatMap(({ name, last_error, next_run_at }) => {
    if (last_error !== null) return [`${name} failed: ${last_error}`];
    const wait = next_run_at.getTime() - now;
    if (wait < -overdueMs) return [`${name} is overdue since ${next_run_at.toISOString()}`];
    return wait > (schedules.get(name) ?? Infinity) + overdueMs
      ? [`${name} was put off until ${next_run_at.toISOString()} by a node with a wrong clock`]
      : [];
  });
  if (failures.length > 0) throw new Error(failures.join('; '));
  return `${states.length} jobs, all of them on time`;
}

/** Of this machine against the database's, which is the one that counts. */
async function examineClock(db: Queryable): Promise<string> {
  const clockError = (await DatabaseClock.open(db)).clockError();
  if (clockError !== undefined) throw new Error(clockError);
  return 'in step with the database';
}

/** Of those that wait for people. */
const maxNamed = 20;

async function examineErasures(db: Queryable): Promise<string> {
  const { data } = await listErasuresUnderWay(db, { page_size: maxNamed });
  const stopped = data.filter(({ stopped_at }) => stopped_at !== null);
  if (stopped.length === 0) return data.length === 0 ? 'none under way' : `${data.length} under way`;
  const list = stopped.map(
    ({ id, instance, stop_reason, error }) =>
      `request ${id} of ${instance} (${stop_reason}${error === null ? '' : `, ${error}`})`,
  );
  throw new Error(`stopped before the end: ${list.join('; ')}`);
}

async function examineNodes(db: Queryable): Promise<string> {
  const nodes = await db.query<{ id: string; roles: string[]; version: string; silent: number }>(
    `select id, roles, version, extract(epoch from now() - seen_at)::integer as silent from nodes order by id limit 1000`,
  );
  if (nodes.length === 0) return 'none is running';
  const list = nodes.map(
    ({ id, roles, version, silent }) => `${id} ${version} (${roles.join(',')}) seen ${silent} s ago`,
  );
  const byVersion = new Intl.Collator('en', { numeric: true });
  const newest = nodes.map(({ version }) => version).toSorted((a, b) => byVersion.compare(b, a))[0];
  const old = nodes.filter(({ version }) => version !== newest);
  if (old.length === 0) return list.join('; ');
  throw new CheckFailure(
    `${old.length} of ${nodes.length} nodes are older than ${newest}: ${list.join('; ')}`,
    `Finish the upgrade: install ${newest} on ${old.map(({ id }) => id).join(', ')} and restart.`,
  );
}

/** Every instance's evidence is as it was recorded. */
export async function examineConsents(db: Queryable): Promise<string> {
  const checks = await verifyChains(db, await everyPage(async (page) => await listInstances(db, page)));
  const broken = checks.filter(({ is_intact }) => !is_intact);
  if (broken.length > 0) throw new Error(broken.map(describeCheck).join('; '));
  const rows = checks.reduce((sum, { checked }) => sum + checked, 0);
  return `${rows} rows of evidence in ${checks.length} instances, none tampered with`;
}

/** Lists and statistics count the mails that there are, day by day. */
async function examineStatistics(db: Queryable): Promise<string> {
  const { days, is_complete, differences } = await compareCounts(db);
  if (differences.length > 0) {
    const [first] = differences;
    throw new Error(
      `${differences.length} counts differ from the mails; ${first?.instance} on ${first?.day}: ${first?.mails} ${first?.count}, ` +
        `but ${first?.by_day} by day and ${first?.by_quarter} by quarter of an hour. Was role jobs run by an older version?`,
    );
  }
  return `they agree with the mails; days compared: ${days}${is_complete ? '' : '; the time limit was reached'}`;
}

interface Checked {
  db: Queryable;
  config: Config;
  store: Store;
}

/** What can be said of any database that answers. */
export function firstChecks({ db, config, store }: Checked): Check[] {
  return [
    {
      name: 'configuration',
      action: 'Correct the settings that are named; .env.example explains each.',
      look: async () => `base URL ${config.base_url}, platform domain ${config.platform_domain}`,
    },
    {
      name: 'database',
      action: 'Look at DATABASE_URL, the network and the log of the database.',
      look: async () => {
        const sql = "select current_setting('server_version') as version";
        const [row] = await db.query<{ version: string }>(sql);
        return `${store.description}, version ${row?.version}`;
      },
    },
    {
      name: 'schema',
      action: 'Run `chasqui migrate` with the newest version that runs here; docs/upgrading.md says more.',
      look: async () => {
        const known = await readMigrations(migrationsFolder);
        const { migrations } = await requireCurrentSchema(store.connection, known);
        return `${migrations} migrations, none pending`;
      },
    },
  ];
}

const tellUs = 'Report it with this output: it is a bug, or the database was changed by hand.';

/** What needs the tables of this version. */
export function checksOfContent({ db, config }: Omit<Checked, 'store'>): Check[] {
  return [
    {
      name: 'root secret',
      action: 'Put the secret back from a backup: the file `secret` of the data folder, or CHASQUI_SECRET.',
      look: async () => await describeRootSecret(db, config),
    },
    {
      name: 'clock',
      action: 'Let NTP set the clocks of this machine and of the database server.',
      look: async () => await examineClock(db),
    },
    {
      name: 'nodes',
      action: 'Look at the log of each node.',
      look: async () => await examineNodes(db),
    },
    {
      name: 'erasures',
      action:
        'Look at the log of the node with role jobs. Then `chasqui rights fulfil --instance S ID` goes on, and `chasqui rights cancel` ends the erasure.',
      look: async () => await examineErasures(db),
    },
    {
      name: 'jobs',
      action: 'Start a node with role jobs; the log has the error of each failed run.',
      look: async () => await examineJobs(db),
    },
    ...externalChecks({ db, config }),
    { name: 'mails', action: tellUs, is_heavy: true, look: async () => await examineMails(db) },
    { name: 'statistics', action: tellUs, is_heavy: true, look: async () => await examineStatistics(db) },
    {
      name: 'consents',
      action: 'Restore the rows that are named from a backup: evidence was changed by hand.',
      is_heavy: true,
      look: async () => await examineConsents(db),
    },
  ];
}

export function allChecks(checked: Checked): Check[] {
  return [...firstChecks(checked), ...checksOfContent(checked)];
}
