import type { Queryable } from '../base/db/database.ts';
import { statusNames, type StatusName } from './statuses.ts';

export interface Balance {
  /** Mails by status. Every accepted mail has exactly one, so their sum is what was accepted. */
  statuses: Record<StatusName, number>;
  violations: Violations;
}

export interface Violations {
  /** Pending by status, but without a queue row: they would never be attempted. */
  not_queued: number;
  /** Final by status, but with a queue row: they would be attempted again. */
  still_queued: number;
  /** Queue rows without a mail. */
  orphaned: number;
}

/** A time range by the time in the ids, open at a missing end. */
export interface Span {
  from?: Date | undefined;
  to?: Date | undefined;
}

const within = (column: string): string => `
  ${column} >= coalesce(uuid_at($1::timestamptz), '00000000-0000-0000-0000-000000000000')
    and ${column} < coalesce(uuid_at($2::timestamptz), 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;

/**
 * One statement, hence one snapshot: a mail that changes status meanwhile is counted once. Ids contain the time, so a
 * range reads few partitions by primary key. Messages are read only when asked for, since they are large.
 */
const balance = `
  with waiting as materialized (
    select mail_id from queue where ${within('mail_id')}
  ), by_status as (
    select m.status, count(*) as mails, count(w.mail_id) as queued
    from mails m left join waiting w on w.mail_id = m.mail_id
    where ${within('m.mail_id')}
    group by m.status
  )
  select coalesce((select jsonb_object_agg(status, mails) from by_status), '{}') as statuses,
    (select coalesce(sum(mails - queued), 0)::bigint from by_status where status in (2, 5, 7)) as not_queued,
    (select coalesce(sum(queued), 0)::bigint from by_status where status not in (2, 5, 7)) as still_queued,
    (select count(*) from waiting) - (select coalesce(sum(queued), 0)::bigint from by_status) as orphaned,
    case when $3 then
      (select coalesce(sum(rcpt_count), 0)::bigint from messages where ${within('msg_id')})
    end as accepted`;

type Row = { statuses: Record<string, number>; accepted: number | null } & Violations;

/**
 * Checks that nothing was lost or duplicated: accepted = received + queued + sent + dropped + deferred + bounced +
 * onhold, and exactly the queued, deferred and held mails have one queue row.
 */
export async function reconcileQueue(db: Queryable, span: Span = {}): Promise<Balance> {
  const { statuses, violations } = await readBalance(db, span, false);
  return { statuses, violations };
}

async function readBalance(
  db: Queryable,
  { from, to }: Span,
  withMessages: boolean,
): Promise<Balance & { accepted: number }> {
  const [row] = await db.query<Row>(balance, [from ?? null, to ?? null, withMessages]);
  if (!row) throw new Error('The balance of mails gave no row.');
  const { statuses, not_queued, still_queued, orphaned, accepted } = row;
  return {
    statuses: byName((code) => statuses[String(code)] ?? 0),
    violations: { not_queued, still_queued, orphaned },
    accepted: accepted ?? 0,
  };
}

function byName(countOf: (code: number) => number): Record<StatusName, number> {
  const counts = statusNames.map((name, index) => [name, countOf(index + 1)]);
  return Object.fromEntries(counts) as Record<StatusName, number>;
}

export interface FullBalance extends Balance {
  /** Recipients according to messages; the statuses are according to mails. */
  accepted: number;
  is_conserved: boolean;
}

const dayMs = 86_400_000;
/** Beyond any retention; older ids are not ours. */
const maxDays = 400;

/**
 * All mail day by day, which bounds each statement. A message and its mails have the same timestamp, hence the same
 * range.
 */
export async function reconcileWholeQueue(db: Queryable, now: Date): Promise<FullBalance> {
  const total: FullBalance = {
    statuses: byName(() => 0),
    violations: { not_queued: 0, still_queued: 0, orphaned: 0 },
    accepted: 0,
    is_conserved: true,
  };
  for (const span of await daysOf(db, now)) {
    const { statuses, violations, accepted } = await readBalance(db, span, true);
    for (const name of statusNames) total.statuses[name] += statuses[name];
    total.violations.not_queued += violations.not_queued;
    total.violations.still_queued += violations.still_queued;
    total.violations.orphaned += violations.orphaned;
    total.accepted += accepted;
    if (sumOf(statuses) !== accepted || sumOf(violations) > 0) total.is_conserved = false;
  }
  return total;
}

/** The first and last range are open, so that every id is in one. */
async function daysOf(db: Queryable, now: Date): Promise<Span[]> {
  const [row] = await db.query<{ first: string | null }>(
    `select least(
       (select mail_id from mails order by mail_id limit 1), (select mail_id from queue order by mail_id limit 1)
     )::text as first`,
  );
  const end = now.getTime() - dayMs;
  const first = row?.first ? Number.parseInt(row.first.replaceAll('-', '').slice(0, 12), 16) : end;
  const bounds: Date[] = [];
  for (let at = Math.max(first, end - maxDays * dayMs) + dayMs; at <= end; at += dayMs) {
    bounds.push(new Date(at));
  }
  return [undefined, ...bounds].map((from, index) => ({ from, to: bounds[index] }));
}

export function sumOf(counts: { [name: string]: number } | Violations): number {
  return Object.values(counts).reduce<number>((sum, count: number) => sum + count, 0);
}
