import type { Queryable } from '../../base/db/database.ts';
import type { Evidence } from './event-content.ts';
import { unsealed } from './event-filters.ts';
import type { ConsentEvent } from './event-schemas.ts';
import { recordConsentEvents } from './record-event.ts';

/** What a file of contacts was agreed to. */
export interface ImportedTerm {
  term_id: number;
  term_version_id: number;
  purpose_ids: number[];
  method: ConsentEvent['method'];
}

export interface ImportedConsent {
  /** An address in canonical form; of one import each once. */
  contact: string;
  /** When the person agreed, as the importer says. */
  consented_at: Date;
  evidence: Evidence;
}

/** `withdrew`: the person has said no since. */
export type ImportedOutcome =
  | { state: 'recorded'; event_id: number }
  | { state: 'unchanged' }
  | { state: 'withdrew' };

interface Importing {
  term: ImportedTerm;
  consents: ImportedConsent[];
  at: Date;
  /** Only says what would be recorded. */
  is_dry_run: boolean;
}

/**
 * Records consents over mail that were given elsewhere and before, by position. A withdrawal after the consent holds, and a
 * consent that stands under the same text, or was given since, is not recorded again.
 */
export async function importConsents(
  tx: Queryable,
  instanceId: number,
  { term, consents, at, is_dry_run }: Importing,
): Promise<ImportedOutcome[]> {
  const standing = await findStanding(tx, instanceId, { term, consents });
  const states = consents.map((consent) => stateOf(term, consent, standing.get(consent.contact) ?? []));
  const fresh = consents.filter((_, index) => states[index] === 'recorded');
  if (is_dry_run) return states.map((state) => (state === 'recorded' ? { state, event_id: 0 } : { state }));
  const events = await recordConsentEvents(
    tx,
    instanceId,
    fresh.map(({ contact, evidence }) => ({
      status: 'confirmed',
      source: 'import',
      method: term.method,
      term_id: term.term_id,
      term_version_id: term.term_version_id,
      evidence,
      at,
      rules: term.purpose_ids.map((purpose_id) => ({
        channel: 'mail',
        contact_type: 'email_address',
        contact,
        purpose_id,
        action: 'allow',
      })),
    })),
  );
  return states.map((state) =>
    state === 'recorded' ? { state, event_id: (events.shift() as ConsentEvent).id } : { state },
  );
}

interface StandingRule {
  contact: string;
  purpose_id: number;
  term_id: number;
  term_version_id: number;
  action: 'allow' | 'deny';
  decided_at: Date;
}

/** The newest rule of each term, as the verdict sees them. */
async function findStanding(
  tx: Queryable,
  instanceId: number,
  { term, consents }: { term: ImportedTerm; consents: ImportedConsent[] },
): Promise<Map<string, StandingRule[]>> {
  const rows = await tx.query<StandingRule & Record<string, unknown>>(
    `select distinct on (r.contact, r.purpose_id, r.term_id) r.contact, r.purpose_id, r.term_id, e.term_version_id,
       r.action, coalesce(o.at, r.created_at) as decided_at
     from consent_rules r
     join consent_events e on e.id = r.event_id
     left join consent_event_outcomes o on o.event_id = case when not r.is_confirmed then r.event_id end
     where r.instance_id = $1 and r.contact = any ($2::text[]) and r.contact_type = 'email_address'
       and r.channel = 'mail' and r.purpose_id = any ($3::bigint[])
       and (r.is_confirmed or o.status = 'confirmed') and ${unsealed('r.event_id')}
     order by r.contact, r.purpose_id, r.term_id, r.id desc`,
    [instanceId, consents.map(({ contact }) => contact), term.purpose_ids],
  );
  return Map.groupBy(rows, ({ contact }) => contact);
}

function stateOf(
  { term_id, term_version_id, purpose_ids }: ImportedTerm,
  { consented_at }: ImportedConsent,
  standing: StandingRule[],
): ImportedOutcome['state'] {
  if (standing.some(({ action, decided_at }) => action === 'deny' && decided_at >= consented_at)) {
    return 'withdrew';
  }
  const covered = standing.filter(
    (rule) =>
      rule.term_id === term_id &&
      rule.action === 'allow' &&
      (rule.term_version_id === term_version_id || rule.decided_at >= consented_at),
  );
  return new Set(covered.map(({ purpose_id }) => purpose_id)).size === purpose_ids.length
    ? 'unchanged'
    : 'recorded';
}
