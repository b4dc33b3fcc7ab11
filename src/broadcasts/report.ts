import {
  ratesOf,
  readGroupTotals,
  readGroupVisits,
  readProvidersOfGroup,
  type StatTotals,
  withinTime,
} from '../activity/index.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import { type BroadcastRow, getBroadcastRow, leftOutOf } from './broadcasts.ts';
import type { BroadcastReport } from './report-schemas.ts';

interface Previous {
  id: number;
  name: string;
  started_at: Date;
  group_code: string;
  accepted_count: number;
}

/** The last before it that started. */
const previousOnes = `
  select id, name, started_at, group_code, accepted_count from broadcasts
  where instance_id = $1 and id <> $2 and accepted_count > 0 and started_at < coalesce($3::timestamptz, now())
  order by started_at desc limit 5`;

/** What came of a broadcast so far. Counts are of rollups; hours, links and providers are read from what happened. */
export async function readReport(db: Database, instanceId: number, id: number): Promise<BroadcastReport> {
  const broadcast = await getBroadcastRow(db, instanceId, id);
  const previous = await db.query<Previous & Record<string, unknown>>(previousOnes, [
    instanceId,
    id,
    broadcast.started_at,
  ]);
  const groups = [broadcast, ...previous].map(({ group_code }) => group_code);
  const totals = await readGroupTotals(db, instanceId, groups);
  const details = await readDetails(db, broadcast);
  return {
    ...aboutMails(broadcast, totals.get(broadcast.group_code)),
    ...details,
    previous: previous.map((each) => ({
      broadcast_id: each.id,
      name: each.name,
      started_at: each.started_at,
      accepted: each.accepted_count,
      rates: ratesOf(totals.get(each.group_code) ?? nothing),
    })),
  };
}

const nothing = new Proxy({} as StatTotals, { get: () => 0 });

type AboutMails = Omit<BroadcastReport, 'hours' | 'links' | 'providers' | 'previous'>;

function aboutMails(broadcast: BroadcastRow, totals: StatTotals = nothing): AboutMails {
  const { id, name, state, started_at, finished_at, recipient_count, accepted_count } = broadcast;
  const { sent, bounced } = totals;
  const refused = dropsOf(broadcast);
  // Those that were dropped when they were accepted are left out, and not counted twice.
  const dropped = Math.max(0, totals.dropped - refused);
  return {
    broadcast_id: id,
    name,
    state,
    started_at,
    finished_at,
    funnel: {
      recipients: recipient_count ?? 0,
      accepted: accepted_count,
      delivered: sent,
      opened: totals.unique_opens,
      clicked: totals.unique_clicks,
    },
    not_delivered: { waiting: Math.max(0, accepted_count - sent - bounced - dropped), dropped, bounced },
    unsubscribes: totals.unsubscribes,
    complaints: totals.complaints,
    rates: ratesOf(totals),
    left_out: leftOutOf(broadcast.left_out),
    not_in_audience: leftOutOf(broadcast.audience_left_out),
  };
}

/** Reasons for which there is no mail at all; others are of mails that were dropped as they were accepted. */
const withoutMail: ReadonlySet<string> = new Set(['invalid_address', 'cannot_be_made']);

function dropsOf({ left_out }: BroadcastRow): number {
  return Object.entries(left_out).reduce(
    (sum, [reason, count]) => sum + (withoutMail.has(reason) ? 0 : count),
    0,
  );
}

async function readDetails(
  db: Database,
  { instance_id, group_code: custom_group_code, started_at: since }: BroadcastRow,
): Promise<Pick<BroadcastReport, 'hours' | 'links' | 'providers'>> {
  if (!since) return { hours: [], links: [], providers: [] };
  return await withinTime(db, async (tx: Queryable) => {
    const visits = await readGroupVisits(tx, instance_id, { custom_group_code, since });
    const providers = await readProvidersOfGroup(tx, instance_id, { custom_group_code, since });
    return {
      ...visits,
      providers: providers.map(({ provider, received, sent, deferred, bounced, unique_opens }) => ({
        provider,
        accepted: received,
        delivered: sent,
        deferred,
        bounced,
        opened: unique_opens,
      })),
    };
  });
}
