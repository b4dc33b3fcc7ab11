import { isIP } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { canonicalDomain } from '../address/domain-name.ts';
import { readXml, type Element } from './read-xml.ts';

const dispositions = ['none', 'quarantine', 'reject'] as const;
export type Disposition = (typeof dispositions)[number];

/** Messages of one source that were treated alike. */
export interface AggregateRow {
  source_ip: string;
  count: number;
  disposition: Disposition;
  /** Whether DKIM, or SPF, passed for a domain aligned with the one in From (RFC 9989 §4.10.2). */
  dkim_aligned: boolean;
  spf_aligned: boolean;
  header_from: string;
}

/** What one receiver saw of one domain over a time, usually a day. */
export interface AggregateReport {
  org_name: string;
  report_id: string;
  begins_at: Date;
  ends_at: Date;
  /** The domain whose policy was applied. */
  domain: string;
  policy: Disposition;
  rows: AggregateRow[];
}

const maxRows = 5_000;
/** How many are read before others have their turn. */
const recordsPerTurn = 500;
const maxCount = 2 ** 31 - 1;
const maxNameLength = 255;
const maxTextLength = 1_000;

/**
 * An aggregate report (RFC 9990, and RFC 7489 appendix C before it), and what vendors make of it: other namespaces, prefixes and cases, times
 * in milliseconds or words, missing parts. Undefined without a domain and a time, which nothing can stand in for.
 */
export async function readAggregate(xml: string): Promise<AggregateReport | undefined> {
  const root = await readXml(xml);
  if (root?.name !== 'feedback') return undefined;
  const metadata = find(root, 'report_metadata');
  const published = find(root, 'policy_published');
  const domain = canonicalDomain(textAt(published, 'domain'));
  const range = find(metadata, 'date_range');
  const begins_at = momentOf(textAt(range, 'begin'));
  const ends_at = momentOf(textAt(range, 'end'));
  if (domain === undefined || !begins_at || !ends_at || ends_at < begins_at) return undefined;
  const org_name = textAt(metadata, 'org_name') || textAt(metadata, 'email').replace(/^.*@/, '') || 'unknown';
  return {
    org_name: org_name.slice(0, maxNameLength),
    report_id: (textAt(metadata, 'report_id') || `${domain} ${begins_at.toISOString()}`).slice(
      0,
      maxNameLength,
    ),
    begins_at,
    ends_at,
    domain,
    policy: dispositionOf(textAt(published, 'p')),
    rows: await readRows(root.children, domain),
  };
}

async function readRows(children: readonly Element[], domain: string): Promise<AggregateRow[]> {
  const asWritten = new Map<string, AggregateRow>();
  for (const [index, child] of children.entries()) {
    if (index % recordsPerTurn === recordsPerTurn - 1) await setImmediate();
    const row = child.name === 'record' ? readRow(child) : undefined;
    if (row) sum(asWritten, row);
  }
  // Only of those that are kept: mapping a name takes longer than the rest of a row.
  const rows = new Map<string, AggregateRow>();
  for (const row of largest(asWritten))
    sum(rows, { ...row, header_from: canonicalDomain(row.header_from) ?? domain });
  return largest(rows);
}

/** With the domain in From as it was written. */
function readRow(record: Element): AggregateRow | undefined {
  const row = find(record, 'row');
  const evaluated = find(row, 'policy_evaluated');
  const source_ip = textAt(row, 'source_ip').toLowerCase();
  const count = Number(textAt(row, 'count') || '1');
  // An address with a zone is one of the reporter's own network.
  if (isIP(source_ip) === 0 || source_ip.includes('%') || !Number.isInteger(count) || count < 1)
    return undefined;
  // Some vendors call the part `identities`.
  const identifiers = find(record, 'identifiers') ?? find(record, 'identities');
  return {
    source_ip,
    count: Math.min(count, maxCount),
    disposition: dispositionOf(textAt(evaluated, 'disposition')),
    dkim_aligned: textAt(evaluated, 'dkim').toLowerCase() === 'pass',
    spf_aligned: textAt(evaluated, 'spf').toLowerCase() === 'pass',
    header_from: textAt(identifiers, 'header_from'),
  };
}

/** One row for what was treated alike, whatever the vendor told apart. */
function sum(rows: Map<string, AggregateRow>, row: AggregateRow): void {
  const { count, ...kind } = row;
  const key = JSON.stringify(kind);
  const known = rows.get(key);
  if (known) known.count = Math.min(known.count + count, maxCount);
  else rows.set(key, row);
}

/** The largest when there are too many. */
function largest(rows: Map<string, AggregateRow>): AggregateRow[] {
  return [...rows.values()].toSorted((a, b) => b.count - a.count).slice(0, maxRows);
}

/** RFC 9990 adds `pass` for what no policy was applied to. */
function dispositionOf(text: string): Disposition {
  return dispositions.find((each) => each === text.toLowerCase()) ?? 'none';
}

/** Seconds since 1970, as the schema asks; milliseconds and dates in words are met too. */
function momentOf(text: string): Date | undefined {
  const number = /^\d{1,13}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const date = Number.isNaN(number) ? new Date(text) : new Date(number > 1e11 ? number : number * 1000);
  const year = date.getUTCFullYear();
  return year >= 2012 && year < 2200 ? date : undefined;
}

function find(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name);
}

function textAt(element: Element | undefined, name: string): string {
  return (find(element, name)?.text.slice(0, maxTextLength) ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
}
