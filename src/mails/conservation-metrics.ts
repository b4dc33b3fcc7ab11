import type { Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import { measuredGauges } from '../base/measured-gauges.ts';
import { reconcileQueue, sumOf } from './conservation.ts';
import { type StatusName, statusNames } from './statuses.ts';

interface ConservationOptions {
  db: Database;
  registry: Registry;
  clock: Clock;
  log: Log;
  /** Mails compared with the queue at a time. */
  slice?: number;
}

const dayMs = 86_400_000;
/** Today and the days before it, in UTC: all but the last retries. */
const days = 3;
const mailsPerSlice = 200_000;
const statementTimeoutMs = 5_000;

interface Figures {
  statuses: Record<StatusName, number>;
  /** Where the next slice begins; null after a round. */
  position: string | null;
  /** Violations found so far in this round, and in the whole round before. */
  found: number;
  found_before: number;
}

/**
 * Compares mails with the queue when metrics are scraped. A measurement compares one slice and the next one goes on after it, so that
 * its cost does not grow with the mails: 200,000 take 0.3 s. `doctor` checks all mail at once.
 */
export function watchConservation({ db, registry, clock, log, slice }: ConservationOptions): void {
  const gauge = measuredGauges<Figures>({
    db,
    registry,
    log,
    name: 'conservation',
    measure: async (before) => await examine(db, { before, now: clock.now(), slice: slice ?? mailsPerSlice }),
    show({ statuses, found, found_before }, measured_at) {
      for (const name of statusNames) mails.set({ status: name }, statuses[name]);
      violations.set(Math.max(found, found_before));
      checked.set(measured_at.getTime() / 1000);
    },
  });
  const mails = gauge(
    'chasqui_mails',
    'Mails accepted today and in the two days before (UTC), by their present status.',
    ['status'],
  );
  const violations = gauge(
    'chasqui_conservation_violations',
    'Mails of these days that are in the queue and should not be, or the other way round.',
  );
  const checked = gauge('chasqui_conservation_checked_seconds', 'Unix time of the last check that ended.');
}

interface Examining {
  before: Figures | undefined;
  now: Date;
  slice: number;
}

async function examine(db: Database, { before, now, slice }: Examining): Promise<Figures> {
  const since = new Date((Math.floor(now.getTime() / dayMs) - days + 1) * dayMs);
  return await db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = ${statementTimeoutMs}`);
    const statuses = await readStatuses(tx, since);
    const position = new Date(before?.position ?? since);
    const isFirst = position <= since;
    const from = isFirst ? since : position;
    const to = await endOfSlice(tx, from, slice);
    const { violations } = await reconcileQueue(tx, { from, to });
    const found = sumOf(violations) + (isFirst ? 0 : (before?.found ?? 0));
    if (to === undefined) return { statuses, position: null, found: 0, found_before: found };
    return { statuses, position: to.toISOString(), found, found_before: before?.found_before ?? 0 };
  });
}

/** Undefined where the last slice ends. */
async function endOfSlice(tx: Queryable, from: Date, slice: number): Promise<Date | undefined> {
  const [next] = await tx.query<{ at: Date }>(
    `select uuid_time(mail_id) as at from mails where mail_id >= uuid_at($1::timestamptz)
     order by mail_id offset $2 limit 1`,
    [from, slice],
  );
  return next && new Date(Math.max(next.at.getTime(), from.getTime() + 1));
}

const counted = ['queued', 'sent', 'dropped', 'deferred', 'bounced', 'onhold'] as const;
const sums = ['received', ...counted]
  .map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`)
  .join(', ');

/** Statistics know how many mails have each status; counting the mails would take longer with each one. */
const readSums = `
  with counted as (
    select s.* from instances i cross join lateral (
      select received, ${counted.join(', ')} from stats_days s
      where s.instance_id = i.id and not s.is_detail and s.sender_id = 0 and s.category_id = 0 and s.day >= $1
    ) as s
    union all
    select received, ${counted.join(', ')} from stats_deltas where quarter >= $1
  )
  select ${sums} from counted`;

async function readStatuses(tx: Queryable, since: Date): Promise<Record<StatusName, number>> {
  const [row] = await tx.query<Record<StatusName, number>>(readSums, [since]);
  if (!row) throw new Error('An aggregate gave no row.');
  const others = counted.reduce((sum, name) => sum + row[name], 0);
  return { ...row, received: row.received - others };
}
