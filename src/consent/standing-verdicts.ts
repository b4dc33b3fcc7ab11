import { unsealed } from './record/event-filters.ts';

/**
 * SQL: the verdict of every address that ever decided about a purpose over mail, `contact`, `is_denied` and `rule_id`, in the order
 * of contacts. It has the precedence of `verdict.ts` for one identifier: per term the newest rule of a confirmed event stands, one
 * denial denies, else the newest consent decides. `set-of-verdicts.test.ts` compares the two over random histories.
 *
 * The index `consent_rules_of_purpose` has everything in this order, so rules are neither sorted nor read from the table. Outcomes and
 * seals are conditions that stay what they are (`is true`), not joins, which would lose the order.
 */
export function standingVerdicts(instance: string, purpose: string): string {
  return `
    select standing.contact, bool_or(standing.action = 'deny') as is_denied, max(standing.id) as rule_id
    from (
      select distinct on (r.contact, r.term_id) r.contact, r.term_id, r.action, r.id
      from consent_rules r
      where r.instance_id = ${instance} and r.purpose_id = ${purpose} and r.channel = 'mail'
        and r.contact_type = 'email_address'
        and (r.is_confirmed or exists (
          select from consent_event_outcomes o where o.event_id = r.event_id and o.status = 'confirmed'))
        and (${unsealed('r.event_id')}) is true
      order by r.contact, r.term_id, r.id desc
    ) as standing
    group by standing.contact`;
}
