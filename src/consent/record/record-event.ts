import type { Queryable } from '../../base/db/database.ts';
import { columnsOf } from '../../base/db/columns.ts';
import { linkAfter, lockChain, type ChainEnd, type Link } from '../chain/chain.ts';
import { canonicalContact } from '../../base/contacts.ts';
import { announceConsents } from './announce-consents.ts';
import { boundEvidence, eventContent, shownEvent, type Evidence, type StoredEvent } from './event-content.ts';
import type { ConsentEvent, ConsentRule } from './event-schemas.ts';

export interface NewConsent extends Pick<ConsentEvent, 'term_id' | 'term_version_id' | 'method' | 'source'> {
  status: 'confirmed' | 'pending';
  evidence: Evidence;
  at: Date;
  /** At least one, at most one per channel and purpose. Contacts are canonicalised here. */
  rules: Pick<ConsentRule, 'channel' | 'contact_type' | 'contact' | 'purpose_id' | 'action'>[];
}

/**
 * Adds an event and its rules to the chain. It locks the chain of the instance until the commit, so call it late in
 * the transaction.
 */
export async function recordConsentEvent(
  tx: Queryable,
  instanceId: number,
  given: NewConsent,
): Promise<ConsentEvent> {
  const [event] = await recordConsentEvents(tx, instanceId, [given]);
  return event as ConsentEvent;
}

/** Several events in order, in four statements. */
export async function recordConsentEvents(
  tx: Queryable,
  instanceId: number,
  given: NewConsent[],
): Promise<ConsentEvent[]> {
  if (given.length === 0) return [];
  const texts = await hashTexts(tx, given);
  let end: ChainEnd = await lockChain(tx, instanceId);
  const ids = await takeIds(tx, given);
  const rows = given.map((each) => {
    const event = identify(each, { instanceId, ids, texts });
    const link = linkAfter(end, eventContent(event));
    end = link;
    return { ...event, ...link };
  });
  await insertEvents(tx, rows);
  await tx.query('update consent_chains set sequence = $2, hash = $3 where instance_id = $1', [
    instanceId,
    end.sequence,
    end.hash,
  ]);
  const confirmed = rows.filter(({ status }) => status === 'confirmed');
  await announceConsents(
    tx,
    instanceId,
    confirmed.map(({ id, created_at, rules }) => ({ id, at: created_at, rules })),
  );
  return rows.map((row) => shownEvent(row));
}

/** Published texts are immutable, so no lock is needed. */
async function hashTexts(tx: Queryable, given: NewConsent[]): Promise<Map<number, Buffer>> {
  const rows = await tx.query<{ id: number; text_hash: Buffer }>(
    `select id, sha256(convert_to(body, 'UTF8')) as text_hash from consent_term_versions where id = any ($1::bigint[])`,
    [[...new Set(given.map(({ term_version_id }) => term_version_id))]],
  );
  return new Map(rows.map(({ id, text_hash }) => [id, text_hash]));
}

interface Ids {
  events: number[];
  rules: number[];
}

/** Taken under the lock, so that the newest rule has the highest id. */
async function takeIds(tx: Queryable, given: NewConsent[]): Promise<Ids> {
  const take = (table: string, count: string): string =>
    `array(select nextval(pg_get_serial_sequence('${table}', 'id')) from generate_series(1, ${count}::integer))`;
  const [ids] = await tx.query<Ids & Record<string, unknown>>(
    `select ${take('consent_events', '$1')} as events, ${take('consent_rules', '$2')} as rules`,
    [given.length, given.reduce((sum, { rules }) => sum + rules.length, 0)],
  );
  return ids as Ids;
}

function identify(
  { term_id, term_version_id, status, method, source, evidence, at, rules }: NewConsent,
  { instanceId, ids, texts }: { instanceId: number; ids: Ids; texts: Map<number, Buffer> },
): StoredEvent {
  const text_hash = texts.get(term_version_id);
  if (!text_hash) throw new Error(`there is no version ${term_version_id} of consent term ${term_id}`);
  const created_at = new Date(at);
  return {
    id: ids.events.shift() as number,
    instance_id: instanceId,
    term_id,
    term_version_id,
    text_hash,
    status,
    method,
    source,
    evidence: boundEvidence(evidence),
    created_at,
    rules: rules.map((rule) => ({
      id: ids.rules.shift() as number,
      instance_id: instanceId,
      term_id,
      is_confirmed: status === 'confirmed',
      channel: rule.channel,
      contact_type: rule.contact_type,
      contact: canonicalContact(rule),
      purpose_id: rule.purpose_id,
      action: rule.action,
      created_at,
    })),
  };
}

async function insertEvents(tx: Queryable, events: (StoredEvent & Link)[]): Promise<void> {
  const rows = events.map((event) => ({
    ...event,
    created_at: event.created_at.toISOString(),
    evidence: JSON.stringify(event.evidence),
    text_hash: event.text_hash.toString('hex'),
    previous_hash: event.previous_hash.toString('hex'),
    hash: event.hash.toString('hex'),
  }));
  await tx.query(
    `insert into consent_events (id, instance_id, term_id, term_version_id, status, method, source, created_at, sequence,
       evidence, text_hash, previous_hash, hash)
     overriding system value
     select id, instance_id, term_id, term_version_id, status, method, source, created_at, sequence, evidence::jsonb,
       decode(text_hash, 'hex'), decode(previous_hash, 'hex'), decode(hash, 'hex')
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
       $8::timestamptz[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[]) as e (id, instance_id, term_id,
       term_version_id, status, method, source, created_at, sequence, evidence, text_hash, previous_hash, hash)`,
    columnsOf(rows, eventColumns),
  );
  const rules = events.flatMap(({ id: event_id, rules: some }) =>
    some.map((rule) => ({ ...rule, event_id, created_at: rule.created_at.toISOString() })),
  );
  await tx.query(
    `insert into consent_rules (id, event_id, instance_id, term_id, is_confirmed, channel, contact_type, contact,
       purpose_id, action, created_at)
     overriding system value
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::text[], $7::text[],
       $8::text[], $9::bigint[], $10::text[], $11::timestamptz[])`,
    columnsOf(rules, ruleColumns),
  );
}

const eventColumns = [
  'id',
  'instance_id',
  'term_id',
  'term_version_id',
  'status',
  'method',
  'source',
  'created_at',
  'sequence',
  'evidence',
  'text_hash',
  'previous_hash',
  'hash',
] as const;

const ruleColumns = [
  'id',
  'event_id',
  'instance_id',
  'term_id',
  'is_confirmed',
  'channel',
  'contact_type',
  'contact',
  'purpose_id',
  'action',
  'created_at',
] as const;
