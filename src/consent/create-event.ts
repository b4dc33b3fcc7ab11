import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { isReachable } from './contacts.ts';
import type { Evidence } from './event-content.ts';
import type { ConsentEvent, NewConsentEvent } from './event-schemas.ts';
import { recordConsentEvent, type GivenConsent } from './record-event.ts';
import type { Channel } from './term-schemas.ts';

interface Term {
  is_active: boolean;
  channels: Channel[];
  purpose_ids: number[];
  enabled_purpose_ids: number[];
  current_version_id: number | null;
}

interface Recording {
  wanted: NewConsentEvent;
  evidence: Evidence;
  at: Date;
}

/** A consent that the integrator obtained in a channel of its own. The order of the checks is the order of refusal. */
export async function createConsentEvent(
  tx: Queryable,
  instanceId: number,
  { wanted, evidence, at }: Recording,
): Promise<ConsentEvent> {
  const { term_id, method } = wanted;
  const rules = wanted.rules.map((rule) => ({ ...rule, channel: rule.channel ?? 'mail' }));
  const term = await getTermToAccept(tx, instanceId, term_id);
  const violations = rules.flatMap((rule, index) => judgePurpose(term, rule, index));
  if (violations.length > 0) throw validationProblem(violations);
  const term_version_id = requireOpen(term, rules);
  requirePossible(term, rules);
  return await recordConsentEvent(tx, instanceId, {
    term_id,
    term_version_id,
    status: 'confirmed',
    method,
    source: 'api',
    evidence,
    at,
    rules,
  });
}

type Rule = GivenConsent['rules'][number];

async function getTermToAccept(tx: Queryable, instanceId: number, termId: number): Promise<Term> {
  const [term] = await tx.query<Term & Record<string, unknown>>(
    `select t.is_active, t.channels,
       array(select tp.purpose_id from consent_term_purposes tp where tp.term_id = t.id) as purpose_ids,
       array(select p.id from consent_term_purposes tp join consent_purposes p on p.id = tp.purpose_id
             where tp.term_id = t.id and p.is_enabled) as enabled_purpose_ids,
       (select v.id from consent_term_versions v where v.term_id = t.id and v.is_current) as current_version_id
     from consent_terms t where t.instance_id = $1 and t.id = $2`,
    [instanceId, termId],
  );
  if (!term) throw new Problem('consent_term_not_found');
  return term;
}

/** Nothing new is allowed for a purpose that was given up; taking back what was allowed is always possible. */
function judgePurpose(term: Term, { purpose_id, action }: Rule, index: number): Violation[] {
  const pointer = `/rules/${index}/purpose_id`;
  if (!term.purpose_ids.includes(purpose_id)) {
    return [{ pointer, code: 'value_error.purpose', message: 'The term does not have this purpose' }];
  }
  if (action === 'allow' && !term.enabled_purpose_ids.includes(purpose_id)) {
    return [{ pointer, code: 'value_error.purpose_disabled', message: 'This purpose is disabled' }];
  }
  return [];
}

/** An inactive term takes no new consents (spec §2.7). A withdrawal is none, and must stay as easy as consenting was. */
function requireOpen({ is_active, current_version_id }: Term, rules: Rule[]): number {
  if (!is_active && rules.some(({ action }) => action === 'allow'))
    throw new Problem('consent_term_inactive');
  if (current_version_id === null) throw new Problem('consent_term_no_current_version');
  return current_version_id;
}

function requirePossible(term: Term, rules: Rule[]): void {
  if (rules.some(({ channel, contact_type }) => !isReachable(channel, contact_type))) {
    throw new Problem('consent_contact_type_channel_mismatch');
  }
  const pairs = new Set(rules.map(({ channel, purpose_id }) => `${channel} ${purpose_id}`));
  if (pairs.size < rules.length) throw new Problem('consent_duplicate_rule');
  if (rules.some(({ channel }) => !term.channels.includes(channel))) {
    throw new Problem('consent_channel_not_covered');
  }
}
