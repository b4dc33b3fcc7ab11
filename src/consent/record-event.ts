import type { Queryable } from '../base/db/database.ts';
import { columnsOf } from '../base/db/columns.ts';
import { linkAfter, lockChain, type Link } from './chain.ts';
import { canonicalContact } from './contacts.ts';
import { boundEvidence, eventContent, shownEvent, type Evidence, type StoredEvent } from './event-content.ts';
import type { ConsentEvent, ConsentRule } from './event-schemas.ts';

export interface GivenConsent extends Pick<
  ConsentEvent,
  'term_id' | 'term_version_id' | 'method' | 'source'
> {
  status: 'confirmed' | 'pending';
  evidence: Evidence;
  at: Date;
  /** At least one; at most one per channel and purpose. Contacts are brought to their canonical form here. */
  rules: Pick<ConsentRule, 'channel' | 'contact_type' | 'contact' | 'purpose_id' | 'action'>[];
}

/**
 * Adds an event and its rules to the instance's evidence. Other additions of the instance wait until the transaction
 * is over, so it should be called late in it.
 */
export async function recordConsentEvent(
  tx: Queryable,
  instanceId: number,
  given: GivenConsent,
): Promise<ConsentEvent> {
  const end = await lockChain(tx, instanceId);
  const event = await identify(tx, instanceId, given);
  await insertEvent(tx, event, linkAfter(end, eventContent(event)));
  return shownEvent(event);
}

/** Identifiers are taken under the lock: the newest rule of an instance is the one with the highest. */
async function identify(tx: Queryable, instanceId: number, given: GivenConsent): Promise<StoredEvent> {
  const { term_id, term_version_id, status, method, source, evidence, at, rules } = given;
  const [row] = await tx.query<{ id: number; rule_ids: number[]; text_hash: Buffer }>(
    `select nextval(pg_get_serial_sequence('consent_events', 'id')) as id, sha256(convert_to(v.body, 'UTF8')) as text_hash,
       array(select nextval(pg_get_serial_sequence('consent_rules', 'id')) from generate_series(1, $3::integer)) as rule_ids
     from consent_term_versions v where v.term_id = $1 and v.id = $2`,
    [term_id, term_version_id, rules.length],
  );
  if (!row) throw new Error(`consent term ${term_id} has no version ${term_version_id}`);
  const created_at = new Date(at);
  return {
    id: row.id,
    instance_id: instanceId,
    term_id,
    term_version_id,
    text_hash: row.text_hash,
    status,
    method,
    source,
    evidence: boundEvidence(evidence),
    created_at,
    rules: rules.map((rule, index) => ({
      id: row.rule_ids[index] as number,
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

async function insertEvent(tx: Queryable, event: StoredEvent, link: Link): Promise<void> {
  await tx.query(
    `with event as (
       insert into consent_events (id, instance_id, term_id, term_version_id, text_hash, status, method, source, evidence,
         created_at, sequence, previous_hash, hash)
       overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     ), rules as (
       insert into consent_rules (event_id, instance_id, term_id, is_confirmed, created_at,
         id, channel, contact_type, contact, purpose_id, action)
       overriding system value
       select $1, $2, $3, $6 = 'confirmed', $10, *
       from unnest($14::bigint[], $15::text[], $16::text[], $17::text[], $18::bigint[], $19::text[])
     )
     update consent_chains set sequence = $11, hash = $13 where instance_id = $2`,
    [
      event.id,
      event.instance_id,
      event.term_id,
      event.term_version_id,
      event.text_hash,
      event.status,
      event.method,
      event.source,
      JSON.stringify(event.evidence),
      event.created_at,
      link.sequence,
      link.previous_hash,
      link.hash,
      ...columnsOf(event.rules, ['id', 'channel', 'contact_type', 'contact', 'purpose_id', 'action']),
    ],
  );
}
