import type { Queryable } from '../base/db/database.ts';
import type { ConsentEvent, ConsentRule } from './record/event-schemas.ts';
import { unsealed } from './record/event-filters.ts';

/** What a contact said last about being written to for a purpose, and under which text. */
export interface StandingConsent {
  contact: string;
  purpose_id: number;
  purpose_code: string;
  purpose_name: string;
  verdict: ConsentRule['action'];
  decided_at: Date;
  consent_event_id: number;
  term_id: number;
  term_name: string;
  term_version_id: number;
  version: string;
  method: ConsentEvent['method'];
  source: ConsentEvent['source'];
}

/** SQL: the rule on which the verdict of each purpose is based (contract §17), of addresses over mail that `isOf` chooses. */
export const standingRules = (isOf: string, instance: string): string => `
  select distinct on (newest.contact, newest.purpose_id) newest.* from (
    select distinct on (r.contact, r.purpose_id, r.term_id) r.id, r.contact, r.purpose_id, r.term_id, r.event_id,
      r.action as verdict, coalesce(o.at, r.created_at) as decided_at
    from consent_rules r
    left join consent_event_outcomes o on o.event_id = case when not r.is_confirmed then r.event_id end
    where r.instance_id = ${instance} and r.contact_type = 'email_address' and r.channel = 'mail' and ${isOf}
      and (r.is_confirmed or o.status = 'confirmed') and ${unsealed('r.event_id')}
    order by r.contact, r.purpose_id, r.term_id, r.id desc
  ) as newest
  order by newest.contact, newest.purpose_id, newest.verdict = 'deny' desc, newest.id desc`;

/** Of addresses in canonical form, over mail. */
export async function listStandingConsents(
  db: Queryable,
  instanceId: number,
  addresses: string[],
): Promise<StandingConsent[]> {
  return await db.query<StandingConsent & Record<string, unknown>>(
    `select won.contact, won.purpose_id, p.code as purpose_code, p.name as purpose_name, won.verdict, won.decided_at,
       won.event_id as consent_event_id, won.term_id, t.name as term_name, e.term_version_id, v.version, e.method, e.source
     from (${standingRules('r.contact = any ($2::text[])', '$1')}) as won
     join consent_events e on e.id = won.event_id
     join consent_purposes p on p.id = won.purpose_id
     join consent_terms t on t.id = won.term_id
     join consent_term_versions v on v.id = e.term_version_id
     order by won.contact, p.id`,
    [instanceId, addresses],
  );
}
