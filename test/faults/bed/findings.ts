import { waitFor } from '../../support/wait-for.ts';
import type { FaultBed } from './fault-bed.ts';
import type { FaultNode } from './fault-node.ts';
import { acknowledged, repeats } from './ledger.ts';

/** What a scenario came to; lists hold the identifiers of the mails. */
export interface Findings {
  acknowledged: number;
  refused: number;
  unanswered: number;
  /** Acknowledged, and neither delivered nor waiting. */
  lost: string[];
  /** Acknowledged, and still waiting at the end. */
  standing: string[];
  doubled: string[];
  /** Sent again because the node had no time to write the server's answer down. */
  unheard: string[];
  refused_but_stored: string[];
  healed_ms: number;
}

/** After the fault is over the service has this long to work again. */
export const healWithinMs = 15_000;

/** Until all that was acknowledged has arrived and nothing waits, or the time is over. */
export async function becomesQuiet(bed: FaultBed, timeout_ms: number): Promise<void> {
  await waitFor(async () => hasArrived(bed) && (await waiting(bed)) === 0, {
    timeout_ms,
    interval_ms: 250,
  }).catch(() => undefined);
}

function hasArrived({ ledger }: FaultBed): boolean {
  return acknowledged(ledger).every(({ id }) => ledger.copies.has(id));
}

export async function waiting({ database }: FaultBed): Promise<number> {
  const [row] = await database.query<{ count: number }>('select count(*)::int as count from queue');
  return row?.count ?? 0;
}

/**
 * From `since` until each of the nodes has acknowledged a mail that was sent after it, and that mail has arrived.
 * There must be a load on them.
 */
export async function healedAfter({ ledger }: FaultBed, since: number, nodes: FaultNode[]): Promise<number> {
  const arrivals = (): number[] =>
    nodes.map(({ name }) => {
      const later = acknowledged(ledger).filter(({ node, at }) => node === name && at >= since);
      return Math.min(...later.map(({ id }) => ledger.copies.get(id)?.[0]?.at ?? Infinity));
    });
  const isHealed = (): boolean => Math.max(...arrivals()) < Infinity;
  await waitFor(isHealed, { timeout_ms: 60_000, interval_ms: 50 }).catch(() => undefined);
  return Math.max(...arrivals()) - since;
}

interface Stored {
  id: string;
  mails: number;
  is_waiting: boolean;
}

export async function examine({ database, ledger }: FaultBed, healed_ms: number): Promise<Findings> {
  const rows = await database.query<Stored>(
    `select m.custom_msg_id as id, count(*)::int as mails, bool_or(q.mail_id is not null) as is_waiting
     from mails m left join queue q using (mail_id) group by 1`,
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const all = [...ledger.sent.values()];
  const kept = acknowledged(ledger);
  const { doubled, unheard } = repeats(ledger);
  return {
    acknowledged: kept.length,
    refused: all.filter(({ answer }) => answer === 'refused').length,
    unanswered: all.filter(({ answer }) => answer === 'unanswered').length,
    lost: kept
      .filter(({ id }) => !stored.has(id) || !(stored.get(id)?.is_waiting || ledger.copies.has(id)))
      .map(({ id }) => id),
    standing: kept.filter(({ id }) => stored.get(id)?.is_waiting).map(({ id }) => id),
    doubled: [...doubled, ...rows.filter(({ mails }) => mails > 1).map(({ id }) => id)],
    unheard,
    refused_but_stored: all
      .filter(({ answer, id }) => answer === 'refused' && stored.has(id))
      .map(({ id }) => id),
    healed_ms,
  };
}

/** Its problems, in words; empty when there are none. */
export function verdict(findings: Findings): string[] {
  const { lost, standing, doubled, refused_but_stored, healed_ms } = findings;
  const some = (ids: string[], what: string): string[] =>
    ids.length === 0 ? [] : [`${ids.length} ${what} (${ids.slice(0, 3).join(', ')}…)`];
  return [
    ...(findings.acknowledged === 0 ? ['nothing was acknowledged'] : []),
    ...some(lost, 'lost'),
    ...some(standing, 'still waiting'),
    ...some(doubled, 'doubled'),
    ...some(refused_but_stored, 'refused but stored'),
    ...(healed_ms <= healWithinMs ? [] : [`healed in ${seconds(healed_ms)}`]),
  ];
}

export function seconds(ms: number): string {
  return ms === Infinity ? 'not within a minute' : `${(ms / 1000).toFixed(1)} s`;
}
