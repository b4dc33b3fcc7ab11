import { Temporal } from 'temporal-polyfill';
import type { Clock } from '../base/clock.ts';
import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';

interface PlanPeriod {
  instance_id: number;
  /** First day of the calendar month in the instance's zone. */
  period: string;
  starts_at: Date;
}

/** Counts what was sent before there was a limit: not a named statement, since others would wait behind the count. */
const open = `
  insert into plan_usage (instance_id, period, used)
  select $1, $2, count(*) from mails
  where instance_id = $1 and mail_id >= uuid_at($3) and status <> 4
    and recipient !~* '[@.]sandbox\\.test$'
  on conflict do nothing`;
const reserve: Statement = {
  name: 'limits.reserve_plan',
  text: `
    update plan_usage set used = used + $3
    where instance_id = $1 and period = $2 and used + $3 <= $4 returning used`,
  relaxed: true,
};
const release: Statement = {
  name: 'limits.release_plan',
  text: 'update plan_usage set used = used - $3 where instance_id = $1 and period = $2',
  relaxed: true,
};
const read: Statement = {
  name: 'limits.read_plan',
  text: 'select used from plan_usage where instance_id = $1 and period = $2',
};
const forget: Statement = {
  name: 'limits.forget_plan',
  text: 'delete from plan_usage where instance_id = $1 and period = $2',
  relaxed: true,
};

interface Month {
  period: string;
  starts_at: Date;
  ends_at: Date;
}

/** The month last asked for in each zone: working it out took a tenth of accepting a mail. */
const months = new Map<string, Month>();

export function planPeriod(instance: { id: number; timezone: string }, now: Date): PlanPeriod {
  const known = months.get(instance.timezone);
  const month =
    known && known.starts_at <= now && now < known.ends_at ? known : monthOf(instance.timezone, now);
  if (month !== known) months.set(instance.timezone, month);
  return { instance_id: instance.id, period: month.period, starts_at: month.starts_at };
}

function monthOf(zone: string, now: Date): Month {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const first = today.with({ day: 1 });
  const startOf = (day: Temporal.PlainDate): Date => new Date(day.toZonedDateTime(zone).epochMilliseconds);
  return { period: first.toString(), starts_at: startOf(first), ends_at: startOf(first.add({ months: 1 })) };
}

/** How much of the plan is used. The first to ask in a period opens it. */
export async function readPlanUsage(db: Queryable, plan: PlanPeriod): Promise<number> {
  const values = [plan.instance_id, plan.period];
  const [row] = await db.query<{ used: number }>(read, values);
  if (row) return row.used;
  await db.query(open, [...values, plan.starts_at]);
  const [opened] = await db.query<{ used: number }>(read, values);
  return opened?.used ?? 0;
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
  const used = await readPlanUsage(db, plan);
  return used + count <= limit && (await attempt());
}

/** Gives back what was set aside for mail that was not accepted after all. */
export async function releasePlan(db: Queryable, plan: PlanPeriod, count: number): Promise<void> {
  await db.query(release, [plan.instance_id, plan.period, count]);
}

/** Longer than any node believes in a limit that is gone. */
const forget_again_ms = 10_000;

/**
 * Mail of an instance without a limit is not counted, so a count from a time with one is no longer whole. It is
 * thrown away before such mail is written; should there be a limit again, the mails themselves are counted.
 */
export function createPlanReset(db: Queryable, clock: Clock): (plan: PlanPeriod) => Promise<void> {
  const done = createCache<string, true>({
    load: async (key) => {
      await db.query(forget, key.split(' '));
      return true;
    },
    clock,
    ttl_ms: forget_again_ms,
    max_entries: 50_000,
  });
  return async ({ instance_id, period }) => void (await done.get(`${instance_id} ${period}`));
}
