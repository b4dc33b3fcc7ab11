import type { Queryable } from '../base/db/database.ts';
import type { Contact } from '../base/contacts.ts';
import type { BatchResult } from './erasure-steps.ts';
import { type ErasurePosition, firstPosition } from './erasure-position.ts';

/** A request whose erasure is under way. */
export interface RunningErasure {
  id: number;
  instance_id: number;
  kind: 'erasure';
  contacts: Contact[];
  contact_hashes: Buffer[];
}

/** Under way: decided, and neither ended nor stopped. */
export const isRunning = `kind = 'erasure' and status = 'open' and started_at is not null and stopped_at is null`;

/** Instances that are served in one round. Others come in the next. */
const instancesAtOnce = 100;

/**
 * One erasure of each instance that is due: of each instance the one that has not been worked on for the longest, and the instances in
 * the same order, so that none waits for the erasures of another.
 */
export async function dueErasures(db: Queryable, at: Date): Promise<RunningErasure[]> {
  return await db.query<RunningErasure & Record<string, unknown>>(
    `select id, instance_id, kind, contacts, contact_hashes
     from (
       select distinct on (instance_id) id, instance_id, kind, contacts, contact_hashes, erasure_next_at
       from rights_requests where ${isRunning} and (erasure_next_at is null or erasure_next_at <= $1)
       order by instance_id, erasure_next_at nulls first, id
     ) as due
     order by erasure_next_at nulls first, id limit ${instancesAtOnce}`,
    [at],
  );
}

export async function countRunning(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) from rights_requests where ${isRunning}`);
  return row?.count ?? 0;
}

export interface ErasureProgress {
  position: ErasurePosition;
  walks: number;
  failures: number;
  worked_ms: number;
}

/** Locked until the transaction ends, so that a cancellation waits for it; undefined once it no longer runs. */
export async function lockRunning(tx: Queryable, id: number): Promise<ErasureProgress | undefined> {
  const [row] = await tx.query<{
    position: ErasurePosition | null;
    walks: number;
    failures: number;
    worked_ms: number;
  }>(
    `select erasure_position as position, erasure_walks as walks, erasure_failures as failures, erasure_worked_ms as worked_ms
     from rights_requests where id = $1 and ${isRunning} for no key update`,
    [id],
  );
  return row && { ...row, position: row.position ?? firstPosition };
}

/** Where the next batch begins, what was erased so far, and when it goes on. */
export async function saveProgress(
  tx: Queryable,
  id: number,
  { position, result, worked_ms }: { position: ErasurePosition; result: BatchResult; worked_ms: number },
): Promise<void> {
  const { mails, rows, dropped } = result;
  const counts = { mails, rows, dropped };
  const sums = Object.keys(counts).map(
    (name) => `'${name}', coalesce((progress ->> '${name}')::bigint, 0) + ($2::jsonb ->> '${name}')::bigint`,
  );
  await tx.query(
    `update rights_requests set progress = jsonb_build_object(${sums.join(', ')}), erasure_position = $3,
       erasure_failures = 0, erasure_error = null, erasure_worked_ms = erasure_worked_ms + $4
     where id = $1`,
    [id, JSON.stringify(counts), JSON.stringify(position), Math.ceil(worked_ms)],
  );
}

/** Not before `at`. */
export async function postpone(
  tx: Queryable,
  id: number,
  { at, walks = 0 }: { at: Date; walks?: number },
): Promise<void> {
  await tx.query(
    'update rights_requests set erasure_next_at = $2, erasure_walks = erasure_walks + $3 where id = $1',
    [id, at, walks],
  );
}

export async function recordFailure(
  tx: Queryable,
  id: number,
  { at, error }: { at: Date; error: string },
): Promise<void> {
  await tx.query(
    `update rights_requests set erasure_failures = erasure_failures + 1, erasure_error = $3, erasure_next_at = $2
     where id = $1`,
    [id, at, error],
  );
}
