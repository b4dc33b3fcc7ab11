import { faultOfContact } from '../../base/contacts.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import { isReachable } from './contacts.ts';
import type { Evidence } from './event-content.ts';
import type { ConsentEvent, NewConsentEvent } from './event-schemas.ts';
import { recordConsentEvents, type NewConsent } from './record-event.ts';
import type { Channel } from '../catalogue/term-schemas.ts';

interface Term {
  id: number;
  is_active: boolean;
  channels: Channel[];
  purpose_ids: number[];
  enabled_purpose_ids: number[];
  current_version_id: number | null;
}

export interface Recording {
  wanted: NewConsentEvent;
  evidence: Evidence;
  at: Date;
  /** `import` where a person wrote it down by hand; `api` when left out. */
  source?: 'api' | 'import';
}

/** Records consents that integrators obtained. Each has its own result; a refused one does not affect the others. */
export async function createConsentEvents(
  tx: Queryable,
  instanceId: number,
  recordings: Recording[],
): Promise<(ConsentEvent | Problem)[]> {
  const ids = recordings.map(({ wanted }) => wanted.term_id);
  const terms = await findTerms(tx, instanceId, [...new Set(ids)]);
  const results = recordings.map((recording) =>
    validateRecording(terms.get(recording.wanted.term_id), recording),
  );
  const accepted = results.flatMap((given) => (given instanceof Problem ? [] : [given]));
  const recorded = await recordConsentEvents(tx, instanceId, accepted);
  return results.map((given) => (given instanceof Problem ? given : (recorded.shift() as ConsentEvent)));
}

/** The order of the checks is the order of refusals. */
function validateRecording(
  term: Term | undefined,
  { wanted, evidence, at, source = 'api' }: Recording,
): NewConsent | Problem {
  const { term_id, method } = wanted;
  const rules = wanted.rules.map((rule) => ({ ...rule, channel: rule.channel ?? 'mail' }));
  if (!term) return new Problem('consent_term_not_found');
  const violations = rules.flatMap((rule, index) => validatePurpose(term, rule, index));
  if (violations.length > 0) return validationProblem(violations);
  const refusal = refusalOf(term, rules);
  if (refusal || term.current_version_id === null) {
    return new Problem(refusal ?? 'consent_term_no_current_version');
  }
  const wrong = rules.flatMap(validateContact);
  if (wrong.length > 0) return validationProblem(wrong);
  return {
    status: 'confirmed',
    source,
    term_id,
    term_version_id: term.current_version_id,
    method,
    evidence,
    at,
    rules,
  };
}

type Rule = NewConsent['rules'][number];

async function findTerms(tx: Queryable, instanceId: number, ids: number[]): Promise<Map<number, Term>> {
  const rows = await tx.query<Term & Record<string, unknown>>(
    `select t.id, t.is_active, t.channels,
       array(select tp.purpose_id from consent_term_purposes tp where tp.term_id = t.id) as purpose_ids,
       array(select p.id from consent_term_purposes tp join consent_purposes p on p.id = tp.purpose_id
             where tp.term_id = t.id and p.is_enabled) as enabled_purpose_ids,
       (select v.id from consent_term_versions v where v.term_id = t.id and v.is_current) as current_version_id
     from consent_terms t where t.instance_id = $1 and t.id = any ($2::bigint[])`,
    [instanceId, ids],
  );
  return new Map(rows.map((term) => [term.id, term]));
}

/** A disabled purpose takes no new consent; a withdrawal is always possible. */
function validatePurpose(term: Term, { purpose_id, action }: Rule, index: number): Violation[] {
  const pointer = `/rules/${index}/purpose_id`;
  if (!term.purpose_ids.includes(purpose_id)) {
    return [{ pointer, code: 'value_error.purpose', message: 'The term does not have this purpose' }];
  }
  if (action === 'allow' && !term.enabled_purpose_ids.includes(purpose_id)) {
    return [{ pointer, code: 'value_error.purpose_disabled', message: 'This purpose is disabled' }];
  }
  return [];
}

function validateContact(rule: Rule, index: number): Violation[] {
  const fault = faultOfContact(rule);
  return fault ? [{ pointer: `/rules/${index}/contact`, ...fault }] : [];
}

/** An inactive term takes no new consent (contract §17). Withdrawing must stay as easy as consenting. */
function refusalOf(term: Term, rules: Rule[]): ErrorCode | undefined {
  if (!term.is_active && rules.some(({ action }) => action === 'allow')) return 'consent_term_inactive';
  if (term.current_version_id === null) return 'consent_term_no_current_version';
  if (rules.some(({ channel, contact_type }) => !isReachable(channel, contact_type))) {
    return 'consent_contact_type_channel_mismatch';
  }
  const pairs = new Set(rules.map(({ channel, purpose_id }) => `${channel} ${purpose_id}`));
  if (pairs.size < rules.length) return 'consent_duplicate_rule';
  return rules.every(({ channel }) => term.channels.includes(channel))
    ? undefined
    : 'consent_channel_not_covered';
}
