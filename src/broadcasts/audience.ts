import { standingVerdicts } from '../consent/index.ts';
import { newestAnswers } from '../forms/index.ts';
import { isStanding } from '../restrictions/index.ts';
import { conditionSql, wantedOf } from './audience-conditions.ts';
import type { Audience } from './audience-schemas.ts';

/** A statement: `contact`, `rule_id` and the `reason` why the contact is left out, null for the audience. */
export interface AudienceSql {
  sql: string;
  values: unknown[];
  reasons: string[];
}

/**
 * Everyone who ever decided about the purpose, each with their place in or outside of the audience. One set-wise statement: no
 * verdict is looked up by itself. Contacts are compared as consents have them, in lower case; what another alphabet writes in two ways
 * is found when the mail is accepted.
 */
export function audienceSql(instanceId: number, audience: Audience): AudienceSql {
  const { purpose_id, conditions = [], exclude = [], exclude_broadcast_ids = [] } = audience;
  const values: unknown[] = [instanceId, purpose_id];
  const give = (value: unknown): string => `$${values.push(value)}`;
  const fields = [...new Set(conditions.map(({ field }) => field))];
  const answers = fields.map((field, index) => ({
    as: `answer_${index}`,
    sql: newestAnswers('$1', `${give(field)}::text`),
  }));
  const met = conditions.map((condition) =>
    conditionSql(
      condition,
      `answer_${fields.indexOf(condition.field)}.value`,
      `${give(wantedOf(condition))}::jsonb`,
    ),
  );
  const reasons: [reason: string, isLeftOut: string][] = [
    [
      'recipient_blocked',
      `coalesce(known.contact = any ((select blocked_contacts($1, 'email_address'))::text[]), false)`,
    ],
    ['recipient_restricted', 'restricted.key is not null'],
    ['recipient_unsubscribed', 'unsubscribed.key is not null'],
    ['consent_revoked', 'known.is_denied'],
  ];
  const joins = [...standingJoins];
  if (exclude.length > 0) {
    joins.push(
      `left join (select distinct unnest(${give(exclude)}::text[]) as contact) as excluded on excluded.contact = known.contact`,
    );
    reasons.push(['excluded', 'excluded.contact is not null']);
  }
  if (exclude_broadcast_ids.length > 0) {
    joins.push(`left join (select distinct p.contact from broadcast_recipients p join broadcasts b on b.id = p.broadcast_id
      where b.instance_id = $1 and b.id = any (${give(exclude_broadcast_ids)}::bigint[])) as written on written.contact = known.contact`);
    reasons.push(['excluded', 'written.contact is not null']);
  }
  for (const { as, sql } of answers)
    joins.push(`left join (${sql}) as ${as} on ${as}.contact = known.contact`);
  if (met.length > 0) reasons.push(['conditions_not_met', `not (${met.join(' and ')})`]);
  const cases = reasons.map(([reason, isLeftOut]) => `when ${isLeftOut} then '${reason}'`);
  return {
    sql: `select known.contact, known.rule_id, case ${cases.join(' ')} end as reason
    from (${standingVerdicts('$1', '$2')}) as known
    ${joins.join('\n    ')}`,
    values,
    reasons: [...new Set(reasons.map(([reason]) => reason))],
  };
}

const standingJoins = [
  'left join (select recipient_key as key from restrictions where instance_id = $1) as restricted on restricted.key = known.contact',
  `left join (select distinct u.recipient_key as key from unsubscribes u where u.instance_id = $1 and ${isStanding('$2')}) as unsubscribed
      on unsubscribed.key = known.contact`,
];
