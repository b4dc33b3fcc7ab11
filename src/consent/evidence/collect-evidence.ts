import type { Queryable } from '../../base/db/database.ts';
import {
  isUnaltered,
  readChainOfContact,
  textOf,
  type ChainedEvent,
  type ChainedOutcome,
  type ChainRow,
} from '../chain/chain-rows.ts';
import { possibleContacts } from '../record/contacts.ts';
import { shownEvent } from '../record/event-content.ts';
import type { ConsentEvidence, EvidenceEvent } from './evidence-schemas.ts';
import { TextHashes } from '../catalogue/text-hashes.ts';
import { createConsentLookup } from '../verdict.ts';
import { verifyChain } from '../chain/verify-chain.ts';

interface Asked {
  contact: string;
  at: Date;
  /** Time limit of the chain verification. */
  within_ms?: number;
}

/** Bounds the memory of a document. */
const maxEvents = 5_000;

/** All records about a contact, whatever its type, with the accepted texts and all hashes. */
export async function collectEvidence(
  db: Queryable,
  { id, slug, name, timezone }: { id: number; slug: string; name: string; timezone: string },
  { contact, at, within_ms = Infinity }: Asked,
): Promise<ConsentEvidence> {
  const contacts = possibleContacts(contact) ?? [];
  const found = await readChainOfContact(db, id, { contacts, limit: maxEvents + 1 });
  const events = found.events.slice(0, maxEvents);
  return {
    contact,
    instance: { slug, name, timezone },
    generated_at: at,
    standing: await standingOf(db, id, { events, contacts }),
    events: await describe(db, events, found.outcomes),
    has_more: found.events.length > maxEvents,
    terms: await termsOf(db, events),
    purposes: await purposesOf(db, events),
    chain: await verifyChain(db, id, { within_ms }),
  };
}

async function describe(
  db: Queryable,
  events: ChainedEvent[],
  outcomes: ChainedOutcome[],
): Promise<EvidenceEvent[]> {
  const texts = new TextHashes(db);
  await texts.load(events);
  const linkOf = (row: ChainRow) => ({
    sequence: row.sequence,
    previous_hash: row.previous_hash.toString('hex'),
    hash: row.hash.toString('hex'),
    hashed: textOf(row),
    is_unaltered: isUnaltered(row) && texts.check(row) === undefined,
  });
  const byEvent = new Map(outcomes.map((outcome) => [outcome.event_id, outcome]));
  return events.map((event) => {
    const outcome = byEvent.get(event.id);
    return {
      ...shownEvent(event, outcome),
      evidence: { ...event.evidence },
      ...linkOf(event),
      outcome: outcome
        ? { status: outcome.status, at: outcome.at, evidence: { ...outcome.evidence }, ...linkOf(outcome) }
        : null,
    };
  });
}

/** The current verdict for each channel and purpose on record. */
async function standingOf(
  db: Queryable,
  instanceId: number,
  { events, contacts }: { events: ChainedEvent[]; contacts: string[] },
): Promise<ConsentEvidence['standing']> {
  const rules = events.flatMap((event) => event.rules).filter(({ contact }) => contacts.includes(contact));
  const subjects = new Map(
    rules.map(({ contact_type, contact, channel, purpose_id }) => [
      JSON.stringify([contact_type, contact, channel, purpose_id]),
      { contact_type, contact, channel, purpose_id },
    ]),
  );
  const lookUp = createConsentLookup(db);
  return await Promise.all(
    [...subjects.values()].map(async (subject) => {
      const { channel, purpose_id, ...contact } = subject;
      const [found] = await lookUp({ instance_id: instanceId, channel, purpose_id, contacts: [contact] });
      return { ...subject, verdict: found?.verdict ?? 'none', decided_at: found?.decided_at ?? null };
    }),
  );
}

/** The accepted terms and versions. */
async function termsOf(db: Queryable, events: ChainedEvent[]): Promise<ConsentEvidence['terms']> {
  type Version = ConsentEvidence['terms'][number]['versions'][number];
  const rows = await db.query<Version & Omit<Term, 'versions'> & { term_id: number }>(
    `select t.id as term_id, t.name, t.type, v.id, v.version, v.body, v.document_url, v.published_at
     from consent_term_versions v join consent_terms t on t.id = v.term_id
     where v.id = any ($1::bigint[]) order by t.id, v.id`,
    [[...new Set(events.map(({ term_version_id }) => term_version_id))]],
  );
  return [...Map.groupBy(rows, ({ term_id }) => term_id).values()].map((versions) => {
    const [{ term_id, name, type }] = versions as [(typeof rows)[number]];
    return {
      id: term_id,
      name,
      type,
      versions: versions.map(({ term_id: _id, name: _name, type: _type, ...version }) => version),
    };
  });
}

type Term = ConsentEvidence['terms'][number];

async function purposesOf(db: Queryable, events: ChainedEvent[]): Promise<ConsentEvidence['purposes']> {
  const ids = events.flatMap(({ rules }) => rules.map(({ purpose_id }) => purpose_id));
  return await db.query<ConsentEvidence['purposes'][number]>(
    'select id, code, name from consent_purposes where id = any ($1::bigint[]) order by id',
    [[...new Set(ids)]],
  );
}
