import { Temporal } from 'temporal-polyfill';
import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';

interface PlanPeriod {
  instance_id: number;
  /** First day of the calendar month in the time zone of the instance. */
  period: string;
  starts_at: Date;
}

const notSandbox = String.raw`recipient !~* '[@.]sandbox\.test$'`;

/**
 * Counts mail that was accepted before the limit was set, from statistics: the quarters of an hour up to the first whole day (UTC), the
 * days from then on, and what is not aggregated yet. Counting the mails of a month takes seconds. Not a named statement: others would
 * queue behind it on the pipelined connection.
 */
const open = `
  insert into plan_usage (instance_id, period, used)
  select $1, $2, greatest(0, coalesce(sum(mails), 0)) from (
    select sum(received - dropped) as mails from stats_quarters
    where instance_id = $1 and not is_detail and sender_id = 0 and category_id = 0
      and quarter >= $3 and quarter < day_of($3::timestamptz + interval '23:59:59')
    union all
    select sum(received - dropped) from stats_days
    where instance_id = $1 and not is_detail and sender_id = 0 and category_id = 0
      and day >= day_of($3::timestamptz + interval '23:59:59')
    union all
    select sum(received - dropped) from stats_deltas
    where instance_id = $1 and quarter >= $3 and not is_sandbox
    union all
    select -sum(received - dropped + test) from stats_sandbox_quarters where instance_id = $1 and quarter >= $3
  ) as counted
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
const reset: Statement = {
  name: 'limits.reset_plan',
  text: 'delete from plan_usage where instance_id = $1 and period = $2',
  relaxed: true,
};

interface Month {
  period: string;
  starts_at: Date;
  ends_at: Date;
}

/** Keyed by time zone: see docs/decisions/0003-plain-code-on-the-hot-path.md. */
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

/** Counts that are under way: sends that wait for the same one must not take a connection each. */
const opening = new WeakMap<Queryable, Map<string, Promise<unknown>>>();

async function openOnce(db: Queryable, { instance_id, period, starts_at }: PlanPeriod): Promise<void> {
  const under_way = opening.get(db) ?? new Map<string, Promise<unknown>>();
  opening.set(db, under_way);
  const key = `${instance_id} ${period}`;
  let opened = under_way.get(key);
  if (!opened) {
    opened = db.query(open, [instance_id, period, starts_at]).finally(() => under_way.delete(key));
    under_way.set(key, opened);
  }
  await opened;
}

/** Recipients counted in this period. Creates the row on first use. */
export async function readPlanUsage(db: Queryable, plan: PlanPeriod): Promise<number> {
  const values = [plan.instance_id, plan.period];
  const [row] = await db.query<{ used: number }>(read, values);
  if (row) return row.used;
  await openOnce(db, plan);
  const [opened] = await db.query<{ used: number }>(read, values);
  return opened?.used ?? 0;
}

/**
 * Reserves recipients before their mail is stored; false when they exceed the limit. Committed without waiting for
 * the disk: the commit of the mail follows it in the WAL.
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

/** Releases the reservation of a mail that was not accepted. */
export async function releasePlan(db: Queryable, plan: PlanPeriod, count: number): Promise<void> {
  await db.query(release, [plan.instance_id, plan.period, count]);
}

const counted = `
  select m.instance_id, i.timezone, m.received_at from mails m join instances i on i.id = m.instance_id
  where m.mail_id = any ($1::uuid[]) and m.mail_id between $2 and $3 and i.plan_send_limit is not null
    and m.${notSandbox}`;
const giveBack = `
  update plan_usage p set used = greatest(p.used - d.count, 0)
  from unnest($1::bigint[], $2::date[], $3::bigint[]) as d (instance_id, period, count)
  where p.instance_id = d.instance_id and p.period = d.period`;

/** For mail that was counted when it was accepted and was dropped before it was sent: dropped mail does not count. */
export async function returnToPlan(tx: Queryable, mailIds: string[]): Promise<void> {
  if (mailIds.length === 0) return;
  const sorted = mailIds.toSorted();
  const rows = await tx.query<{ instance_id: number; timezone: string; received_at: Date }>(counted, [
    sorted,
    sorted[0],
    sorted.at(-1),
  ]);
  const counts = new Map<string, { instance_id: number; period: string; count: number }>();
  for (const { instance_id, timezone, received_at } of rows) {
    const { period } = planPeriod({ id: instance_id, timezone }, received_at);
    const key = `${instance_id} ${period}`;
    counts.set(key, { instance_id, period, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  if (counts.size === 0) return;
  const all = [...counts.values()].toSorted(
    (a, b) => a.instance_id - b.instance_id || (a.period < b.period ? -1 : 1),
  );
  await tx.query(giveBack, [
    all.map(({ instance_id }) => instance_id),
    all.map(({ period }) => period),
    all.map(({ count }) => count),
  ]);
}

/** Longer than any node caches a limit that was removed. */
const resetTtlMs = 10_000;

/**
 * Mail of an instance without a limit is not counted, so an existing count becomes incomplete. It is deleted before
 * such mail is stored; when a limit is set again, the mails are counted.
 */
export function createPlanReset(db: Queryable): (plan: PlanPeriod) => Promise<void> {
  const done = createCache<string, true>({
    load: async (key) => {
      await db.query(reset, key.split(' '));
      return true;
    },
    ttl_ms: resetTtlMs,
    max_entries: 50_000,
  });
  return async ({ instance_id, period }) => void (await done.get(`${instance_id} ${period}`));
}
