import type { Queryable } from '../../base/db/database.ts';
import { hashedText, hashOf, type Link } from './chain.ts';
import { receiptContent, type StoredReceipt } from './receipts.ts';
import { aboutNobodyBlocked, ofContact, unsealed } from '../record/event-filters.ts';
import {
  type Content,
  eventContent,
  outcomeContent,
  type StoredEvent,
  type StoredOutcome,
  type StoredRule,
} from '../record/event-content.ts';

export type ChainedEvent = StoredEvent & Link & { kind: 'event' };
export type ChainedOutcome = StoredOutcome & Link & { kind: 'outcome' };
export type ChainedReceipt = StoredReceipt & Link & { kind: 'receipt' };
export type ChainRow = ChainedEvent | ChainedOutcome | ChainedReceipt;

/** The hashed text of a row, rebuilt from its present content. */
export function textOf(row: ChainRow): string {
  return hashedText(contentOf(row), row);
}

function contentOf(row: ChainRow): Content {
  if (row.kind === 'receipt') return receiptContent(row);
  return row.kind === 'event' ? eventContent(row) : outcomeContent(row);
}

export function isUnaltered(row: ChainRow): boolean {
  return hashOf(textOf(row)).equals(row.hash);
}

export function eventIdOf(row: ChainRow): number | null {
  if (row.kind === 'receipt') return null;
  return row.kind === 'event' ? row.id : row.event_id;
}

const events = `select 'event' as kind, e.id, e.instance_id, e.term_id, e.term_version_id, e.text_hash, e.status, e.method,
  e.source, e.evidence, e.created_at, e.sequence, e.previous_hash, e.hash from consent_events e`;
const outcomes = `select 'outcome' as kind, o.event_id, o.instance_id, o.status, o.at, o.evidence, o.sequence,
  o.previous_hash, o.hash from consent_event_outcomes o`;

const receipts = `select 'receipt' as kind, c.id, c.instance_id, c.subject, c.subject_id, c.step, c.content, c.at,
  c.sequence, c.previous_hash, c.hash from consent_receipts c`;

/** Rows read at once per table, so that memory does not grow with the chain. */
const pageRows = 200;

/** The next rows of the chain, up to a sequence number; empty at the end. */
export async function readChain(
  db: Queryable,
  instanceId: number,
  { after, until }: { after: number; until: number },
): Promise<ChainRow[]> {
  const range = 'instance_id = $1 and sequence > $2 and sequence <= $3 order by sequence limit $4';
  const values = [instanceId, after, until, pageRows];
  const [someEvents, someOutcomes, someReceipts] = await Promise.all([
    db.query<EventRow>(`${events} where ${range}`, values),
    db.query<ChainedOutcome & Record<string, unknown>>(`${outcomes} where ${range}`, values),
    db.query<ChainedReceipt & Record<string, unknown>>(`${receipts} where ${range}`, values),
  ]);
  // Rows after the shorter page are merged with the next pages.
  const horizon = Math.min(...[someEvents, someOutcomes, someReceipts].map(endOfPage));
  const near = <Row extends Link>(rows: Row[]): Row[] => rows.filter((row) => row.sequence <= horizon);
  const whole = await withRules(db, near(someEvents));
  return [...whole, ...near(someOutcomes), ...near(someReceipts)].toSorted((a, b) => a.sequence - b.sequence);
}

function endOfPage(rows: Link[]): number {
  return rows.length < pageRows ? Infinity : (rows.at(-1)?.sequence ?? Infinity);
}

/** All rows about a contact, oldest first, outcomes of pending events included. */
export async function readChainOfContact(
  db: Queryable,
  instanceId: number,
  { contacts, limit }: { contacts: string[]; limit: number },
): Promise<{ events: ChainedEvent[]; outcomes: ChainedOutcome[] }> {
  const rows = await db.query<EventRow>(
    `${events} where e.instance_id = $1 and e.id in (
       select r.event_id from consent_rules r where r.instance_id = $1 and ${ofContact.replaceAll('?', '$2')}
     ) and ${unsealed('e.id')} and ${aboutNobodyBlocked('e.id', '$1')} order by e.id limit $3`,
    [instanceId, contacts, limit],
  );
  const settled = await db.query<ChainedOutcome & Record<string, unknown>>(
    `${outcomes} where o.event_id = any ($1::bigint[])`,
    [rows.map(({ id }) => id)],
  );
  return { events: await withRules(db, rows), outcomes: settled };
}

type EventRow = Omit<ChainedEvent, 'rules'> & Record<string, unknown>;

async function withRules(db: Queryable, rows: EventRow[]): Promise<ChainedEvent[]> {
  if (rows.length === 0) return [];
  const rules = await db.query<StoredRule & { event_id: number }>(
    `select event_id, id, instance_id, term_id, is_confirmed, channel, contact_type, contact, purpose_id, action, created_at
     from consent_rules where event_id = any ($1::bigint[]) order by id`,
    [rows.map(({ id }) => id)],
  );
  const byEvent = Map.groupBy(rules, ({ event_id }) => event_id);
  return rows.map((row) => ({ ...(row as Omit<ChainedEvent, 'rules'>), rules: byEvent.get(row.id) ?? [] }));
}
