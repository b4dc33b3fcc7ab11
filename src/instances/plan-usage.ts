import { Temporal } from 'temporal-polyfill';
import type { Queryable, Statement } from '../base/db/database.ts';

interface PlanPeriod {
  instance_id: number;
  /** First day of the calendar month in the instance's zone. */
  period: string;
  starts_at: Date;
}

/** The first reservation of a period counts what was sent before the limit was set. */
const open: Statement = {
  name: 'instances.open_plan_period',
  text: `
    insert into plan_usage (instance_id, period, used)
    select $1, $2, count(*) from mails
    where instance_id = $1 and mail_id >= uuid_at($3) and status <> 4
      and recipient !~* '[@.]sandbox\\.test$'
    on conflict do nothing`,
};
const reserve: Statement = {
  name: 'instances.reserve_plan',
  text: `
    update plan_usage set used = used + $3
    where instance_id = $1 and period = $2 and used + $3 <= $4 returning used`,
  relaxed: true,
};
const release: Statement = {
  name: 'instances.release_plan',
  text: 'update plan_usage set used = used - $3 where instance_id = $1 and period = $2',
  relaxed: true,
};
const read: Statement = {
  name: 'instances.read_plan',
  text: 'select used from plan_usage where instance_id = $1 and period = $2',
};

export function planPeriod(instance: { id: number; timezone: string }, now: Date): PlanPeriod {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(instance.timezone)
    .toPlainDate();
  const first = today.with({ day: 1 });
  const starts_at = new Date(first.toZonedDateTime(instance.timezone).epochMilliseconds);
  return { instance_id: instance.id, period: first.toString(), starts_at };
}

/** How much of the plan is used; undefined while the period has not been opened. */
export async function readPlanUsage(
  db: Queryable,
  { instance_id, period }: PlanPeriod,
): Promise<number | undefined> {
  const [row] = await db.query<{ used: number }>(read, [instance_id, period]);
  return row?.used;
}

/**
 * Sets recipients aside before their mail is written. False when they do not fit. It need not reach the disk by
 * itself: the commit of the mail, which follows, takes it along.
 */
export async function reservePlan(
  db: Queryable,
  plan: PlanPeriod,
  { count, limit }: { count: number; limit: number },
): Promise<boolean> {
  const attempt = async (): Promise<boolean> =>
    (await db.query(reserve, [plan.instance_id, plan.period, count, limit])).length > 0;
  if (await attempt()) return true;
  if ((await readPlanUsage(db, plan)) !== undefined) return false;
  await db.query(open, [plan.instance_id, plan.period, plan.starts_at]);
  return await attempt();
}

/** Gives back what was set aside for mail that was not accepted after all. */
export async function releasePlan(db: Queryable, plan: PlanPeriod, count: number): Promise<void> {
  await db.query(release, [plan.instance_id, plan.period, count]);
}
