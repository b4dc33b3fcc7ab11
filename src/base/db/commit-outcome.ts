import type { QueryResult, QueryResultRow } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal, isSessionUnusable } from './connection-loss.ts';

/** What runs SQL: a client of the pool, or the pool. */
type Ask = <Row extends QueryResultRow>(config: {
  text: string;
  values?: unknown[];
}) => Promise<Pick<QueryResult<Row>, 'rows'>>;

/**
 * A transaction that has written. The timeline belongs to it: after a failover another transaction may get the same number, if
 * the new primary never received this one.
 */
export interface WrittenTransaction {
  xid: string;
  timeline: string;
}

const timeline = `left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** The running transaction; undefined where it has written nothing. */
export async function nameTransaction(ask: Ask): Promise<WrittenTransaction | undefined> {
  const text = `
    select pg_current_xact_id_if_assigned()::text as xid, ${timeline} as timeline
    where not pg_is_in_recovery() and pg_current_xact_id_if_assigned() is not null`;
  try {
    const { rows } = await ask<WrittenTransaction>({ text });
    return rows[0];
  } catch (error) {
    // One in which a statement failed takes no other, and its commit is a rollback.
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Whether an error leaves open if the commit took effect. */
export function isCommitUnknown(error: unknown): boolean {
  return isSessionUnusable(error) && !isRefusal(error);
}

const askAgainMs = 250;
/** A caller waits no longer than for a statement. */
const askWithinMs = 20_000;

/** Looks up a transaction until it has ended. False where it was rolled back, or cannot be looked up in time. */
export async function isCommitted(
  ask: Ask,
  { xid, timeline: began_on }: WrittenTransaction,
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + askWithinMs;
  while (performance.now() < until && !signal.aborted) {
    const status = await ask<{ status: string | null }>({
      text: `select case when ${timeline} = $2 then pg_xact_status($1::text::xid8) end as status`,
      values: [xid, began_on],
    }).then(
      ({ rows }) => rows[0]?.status ?? 'unknown',
      // The database is not back yet, or its standby has not taken over.
      () => 'in progress',
    );
    if (status !== 'in progress') return status === 'committed';
    await delay(askAgainMs, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
