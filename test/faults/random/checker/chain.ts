import { createHash } from 'node:crypto';
import { some, type Check } from './evidence.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Canonical JSON of RFC 8785, for what the chain holds: no blanks, members in the order of their names. */
function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}

interface Link {
  instance_id: number;
  sequence: number;
  previous_hash: string;
  hash: string;
  content: { [name: string]: Json };
}

const moment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const link = (alias: string): string =>
  `${alias}.instance_id::int, ${alias}.sequence::int, encode(${alias}.previous_hash, 'hex') as previous_hash, encode(${alias}.hash, 'hex') as hash`;

/** As docs/consent.md describes what is hashed: all that a row says, its place and the hash before it. */
const links = [
  `select ${link('e')}, jsonb_build_object('kind', 'event', 'id', e.id, 'instance_id', e.instance_id, 'term_id', e.term_id,
     'term_version_id', e.term_version_id, 'text_sha256', encode(e.text_hash, 'hex'), 'status', e.status, 'method', e.method,
     'source', e.source, 'evidence', e.evidence, 'created_at', ${moment('e.created_at')},
     'rules', coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'instance_id', r.instance_id, 'term_id', r.term_id,
       'is_confirmed', r.is_confirmed, 'channel', r.channel, 'contact_type', r.contact_type, 'contact', r.contact,
       'purpose_id', r.purpose_id, 'action', r.action, 'created_at', ${moment('r.created_at')}) order by r.id)
       from consent_rules r where r.event_id = e.id), '[]')) as content
   from consent_events e`,
  `select ${link('o')}, jsonb_build_object('kind', 'outcome', 'event_id', o.event_id, 'instance_id', o.instance_id,
     'status', o.status, 'evidence', o.evidence, 'at', ${moment('o.at')}) as content from consent_event_outcomes o`,
  `select ${link('c')}, jsonb_build_object('kind', 'receipt', 'id', c.id, 'instance_id', c.instance_id, 'subject', c.subject,
     'subject_id', c.subject_id, 'step', c.step, 'content', c.content, 'at', ${moment('c.at')}) as content
   from consent_receipts c`,
];

/** The evidence of every instance is one unbroken chain, in which each row says what was hashed. */
export const checkChain: Check = async ({ query }) => {
  const rows = (await Promise.all(links.map(async (sql) => await query<Link>(sql)))).flat();
  const ends = await query<{ instance_id: number; sequence: number; hash: string }>(
    `select instance_id::int, sequence::int, encode(hash, 'hex') as hash from consent_chains`,
  );
  const broken = ends.flatMap((end) => {
    const chain = rows
      .filter(({ instance_id }) => instance_id === end.instance_id)
      .toSorted((a, b) => a.sequence - b.sequence);
    return chainProblems(chain, end).map((problem) => `instance ${end.instance_id}: ${problem}`);
  });
  return some('chain', 'places where it is broken', broken);
};

function chainProblems(chain: Link[], end: Pick<Link, 'sequence' | 'hash'>): string[] {
  const problems: string[] = [];
  let previous = { sequence: 0, hash: '00'.repeat(32) };
  for (const { sequence, previous_hash, hash, content } of chain) {
    const text = canonical({ ...content, sequence, previous_hash });
    if (sequence !== previous.sequence + 1) problems.push(`${sequence} follows ${previous.sequence}`);
    if (previous_hash !== previous.hash) problems.push(`${sequence} does not have the hash before it`);
    if (createHash('sha256').update(text).digest('hex') !== hash)
      problems.push(`${sequence} is not what was hashed`);
    previous = { sequence, hash };
  }
  if (end.sequence !== previous.sequence || end.hash !== previous.hash)
    problems.push(`ends at ${previous.sequence}, its end is noted as ${end.sequence}`);
  return problems;
}
