import type { Queryable } from '../../base/db/database.ts';
import { eventIdOf, isUnaltered, readChain, type ChainRow } from './chain-rows.ts';
import { chainStart, type ChainEnd } from './chain.ts';
import { TextHashes } from '../catalogue/text-hashes.ts';

/**
 * What is wrong at a position of the chain:
 * - `missing`: there is no row with this sequence number;
 * - `inserted`: a row that is not part of the chain;
 * - `unlinked`: the row does not link to the one before, so one of the two was moved, replaced or rewritten;
 * - `altered`: the content of the row differs from what was hashed;
 * - `text_altered`: the text of the accepted version differs from what was hashed.
 */
export const chainProblems = ['missing', 'inserted', 'unlinked', 'altered', 'text_altered'] as const;

export interface ChainBreak {
  sequence: number;
  problem: (typeof chainProblems)[number];
  /** The event at this position, when there is a row. */
  consent_event_id: number | null;
}

export interface ChainCheck {
  /** No problem was found in the part that was checked. */
  is_intact: boolean;
  /** False when the time limit was reached before the end. */
  is_complete: boolean;
  checked: number;
  /** The last valid position. */
  sequence: number;
  hash: string;
  first_break: ChainBreak | null;
}

interface CheckOptions {
  /** Continues after this position, which an earlier check reached. */
  after?: number;
  /** A position recorded elsewhere, which must be unchanged. */
  anchor?: ChainEnd | undefined;
  within_ms?: number;
}

/** Verifies the chain of an instance page by page and reports the first problem. */
export async function verifyChain(
  db: Queryable,
  instanceId: number,
  { after = 0, anchor, within_ms = Infinity }: CheckOptions = {},
): Promise<ChainCheck> {
  const until = performance.now() + within_ms;
  const texts = new TextHashes(db);
  const start = await positionAt(db, instanceId, after);
  if (!start) return broken({ ...chainStart, checked: 0 }, { problem: 'missing', sequence: after });
  let end = { ...start, checked: 0 };
  for (;;) {
    // Rows up to the recorded end are committed, hence visible to the following queries.
    const recorded = await readEnd(db, instanceId);
    const rows = await readChain(db, instanceId, { after: end.sequence, until: recorded.sequence });
    if (rows.length === 0) return checkEnd(end, recorded, anchor);
    await texts.load(rows);
    for (const row of rows) {
      const problem = problemOf(row, end, anchor) ?? texts.check(row);
      if (problem === 'missing') return broken(end, { problem, sequence: end.sequence + 1 });
      if (problem) return broken(end, { problem, sequence: row.sequence, row });
      end = { sequence: row.sequence, hash: row.hash, checked: end.checked + 1 };
    }
    if (performance.now() > until) return { ...intact(end), is_complete: false };
  }
}

interface Checked extends ChainEnd {
  checked: number;
}

function problemOf(row: ChainRow, end: ChainEnd, anchor?: ChainEnd): ChainBreak['problem'] | undefined {
  if (row.sequence > end.sequence + 1) return 'missing';
  if (row.sequence <= end.sequence) return 'inserted';
  if (!row.previous_hash.equals(end.hash)) return 'unlinked';
  const isAnchored = row.sequence !== anchor?.sequence || row.hash.equals(anchor.hash);
  return isAnchored && isUnaltered(row) ? undefined : 'altered';
}

/** No more rows: the chain must end here, as recorded, and not before the anchor. */
function checkEnd(end: Checked, recorded: RecordedEnd, anchor?: ChainEnd): ChainCheck {
  if (recorded.beyond !== null) return broken(end, { problem: 'inserted', sequence: recorded.beyond });
  if (Math.max(recorded.sequence, anchor?.sequence ?? 0) > end.sequence) {
    return broken(end, { problem: 'missing', sequence: end.sequence + 1 });
  }
  return recorded.hash.equals(end.hash)
    ? intact(end)
    : broken(end, { problem: 'altered', sequence: end.sequence });
}

interface RecordedEnd extends ChainEnd {
  /** The first row after the recorded end, which must not exist; read in the same snapshot. */
  beyond: number | null;
}

async function readEnd(db: Queryable, instanceId: number): Promise<RecordedEnd> {
  const [row] = await db.query<RecordedEnd & Record<string, unknown>>(
    `select recorded.sequence, recorded.hash, least(
       (select min(e.sequence) from consent_events e where e.instance_id = $1 and e.sequence > recorded.sequence),
       (select min(o.sequence) from consent_event_outcomes o where o.instance_id = $1 and o.sequence > recorded.sequence),
       (select min(c.sequence) from consent_receipts c where c.instance_id = $1 and c.sequence > recorded.sequence)
     ) as beyond
     from (values ($1::bigint)) as wanted (id)
     left join consent_chains c on c.instance_id = wanted.id
     cross join lateral (select coalesce(c.sequence, 0) as sequence, coalesce(c.hash, $2) as hash) as recorded`,
    [instanceId, chainStart.hash],
  );
  return row as RecordedEnd;
}

async function positionAt(
  db: Queryable,
  instanceId: number,
  sequence: number,
): Promise<ChainEnd | undefined> {
  if (sequence === 0) return chainStart;
  const [row] = await db.query<ChainEnd & Record<string, unknown>>(
    `select sequence, hash from consent_events where instance_id = $1 and sequence = $2
     union all select sequence, hash from consent_event_outcomes where instance_id = $1 and sequence = $2
     union all select sequence, hash from consent_receipts where instance_id = $1 and sequence = $2`,
    [instanceId, sequence],
  );
  return row;
}

function intact({ sequence, hash, checked }: Checked): ChainCheck {
  return {
    is_intact: true,
    is_complete: true,
    checked,
    sequence,
    hash: hash.toString('hex'),
    first_break: null,
  };
}

function broken(
  end: Checked,
  { problem, sequence, row }: { problem: ChainBreak['problem']; sequence: number; row?: ChainRow },
): ChainCheck {
  const consent_event_id = row ? eventIdOf(row) : null;
  return { ...intact(end), is_intact: false, first_break: { sequence, problem, consent_event_id } };
}
