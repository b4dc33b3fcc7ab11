import type { Queryable } from '../../base/db/database.ts';
import { eventIdOf, isUnaltered, readChain, type ChainRow } from './chain-rows.ts';
import { chain_start, type ChainEnd } from './chain.ts';
import { TextHashes } from '../catalogue/text-hashes.ts';

/**
 * What is wrong at a place of the chain:
 * - `missing`: there is no row with this number any more;
 * - `inserted`: a row that is not part of the chain;
 * - `unlinked`: the row does not follow the one before it, so one of the two was moved, replaced or rewritten;
 * - `altered`: the row no longer says what was hashed;
 * - `text_altered`: the text of the version that was agreed to is not the one that was hashed.
 */
export const chainProblems = ['missing', 'inserted', 'unlinked', 'altered', 'text_altered'] as const;

export interface ChainBreak {
  sequence: number;
  problem: (typeof chainProblems)[number];
  /** The event that the place is about, when there is a row to tell. */
  consent_event_id: number | null;
}

export interface ChainCheck {
  /** Nothing wrong was found as far as was checked. */
  is_intact: boolean;
  /** The end of the chain was reached; false when the time was over. */
  is_complete: boolean;
  checked: number;
  /** The last good place. */
  sequence: number;
  hash: string;
  first_break: ChainBreak | null;
}

interface CheckOptions {
  /** Begins after this place, which an earlier check reached. */
  after?: number;
  /** A place that was noted elsewhere before: it must still be as it was. */
  anchor?: ChainEnd | undefined;
  within_ms?: number;
}

/** Walks through the chain of an instance, a page at a time, and points at the first place where something is wrong. */
export async function verifyChain(
  db: Queryable,
  instanceId: number,
  { after = 0, anchor, within_ms = Infinity }: CheckOptions = {},
): Promise<ChainCheck> {
  const until = performance.now() + within_ms;
  const texts = new TextHashes(db);
  const start = await placeAfter(db, instanceId, after);
  if (!start) return broken({ ...chain_start, checked: 0 }, { problem: 'missing', sequence: after });
  let end = { ...start, checked: 0 };
  for (;;) {
    // What the chain says it has was committed before it said so: rows up to there are all to be seen from now on.
    const said = await readEnd(db, instanceId);
    const rows = await readChain(db, instanceId, { after: end.sequence, until: said.sequence });
    if (rows.length === 0) return conclude(end, said, anchor);
    await texts.load(rows);
    for (const row of rows) {
      const problem = problemOf(row, end, anchor) ?? texts.check(row);
      if (problem === 'missing') return broken(end, { problem, sequence: end.sequence + 1 });
      if (problem) return broken(end, { problem, sequence: row.sequence, row });
      end = { sequence: row.sequence, hash: row.hash, checked: end.checked + 1 };
    }
    if (performance.now() > until) return { ...sound(end), is_complete: false };
  }
}

interface Walked extends ChainEnd {
  checked: number;
}

function problemOf(row: ChainRow, end: ChainEnd, anchor?: ChainEnd): ChainBreak['problem'] | undefined {
  if (row.sequence > end.sequence + 1) return 'missing';
  if (row.sequence <= end.sequence) return 'inserted';
  if (!row.previous_hash.equals(end.hash)) return 'unlinked';
  const isAnchored = row.sequence !== anchor?.sequence || row.hash.equals(anchor.hash);
  return isAnchored && isUnaltered(row) ? undefined : 'altered';
}

/** There are no more rows: the chain must end here, say so, and reach as far as it did when it was noted. */
function conclude(end: Walked, said: SaidEnd, anchor?: ChainEnd): ChainCheck {
  if (said.beyond !== null) return broken(end, { problem: 'inserted', sequence: said.beyond });
  if (Math.max(said.sequence, anchor?.sequence ?? 0) > end.sequence) {
    return broken(end, { problem: 'missing', sequence: end.sequence + 1 });
  }
  return said.hash.equals(end.hash)
    ? sound(end)
    : broken(end, { problem: 'altered', sequence: end.sequence });
}

interface SaidEnd extends ChainEnd {
  /** The first row after it, which there must not be; seen in the same moment. */
  beyond: number | null;
}

async function readEnd(db: Queryable, instanceId: number): Promise<SaidEnd> {
  const [row] = await db.query<SaidEnd & Record<string, unknown>>(
    `select said.sequence, said.hash, least(
       (select min(e.sequence) from consent_events e where e.instance_id = $1 and e.sequence > said.sequence),
       (select min(o.sequence) from consent_event_outcomes o where o.instance_id = $1 and o.sequence > said.sequence)
     ) as beyond
     from (values ($1::bigint)) as asked (id)
     left join consent_chains c on c.instance_id = asked.id
     cross join lateral (select coalesce(c.sequence, 0) as sequence, coalesce(c.hash, $2) as hash) as said`,
    [instanceId, chain_start.hash],
  );
  return row as SaidEnd;
}

async function placeAfter(
  db: Queryable,
  instanceId: number,
  sequence: number,
): Promise<ChainEnd | undefined> {
  if (sequence === 0) return chain_start;
  const [row] = await db.query<ChainEnd & Record<string, unknown>>(
    `select sequence, hash from consent_events where instance_id = $1 and sequence = $2
     union all select sequence, hash from consent_event_outcomes where instance_id = $1 and sequence = $2`,
    [instanceId, sequence],
  );
  return row;
}

function sound({ sequence, hash, checked }: Walked): ChainCheck {
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
  end: Walked,
  { problem, sequence, row }: { problem: ChainBreak['problem']; sequence: number; row?: ChainRow },
): ChainCheck {
  const consent_event_id = row ? eventIdOf(row) : null;
  return { ...sound(end), is_intact: false, first_break: { sequence, problem, consent_event_id } };
}
