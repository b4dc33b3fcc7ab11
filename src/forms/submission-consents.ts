import type { Queryable } from '../base/db/database.ts';

/** What a person agreed to with a submission, in the words of that version. */
export interface GivenConsent {
  name: string;
  version: string;
  body: string;
  document_url: string | null;
}

export async function findGivenConsents(db: Queryable, submissionId: number): Promise<GivenConsent[]> {
  return await db.query<GivenConsent & Record<string, unknown>>(
    `select t.name, v.version, v.body, v.document_url
     from form_submissions s
       cross join lateral (
         select e.term_version_id, e.id as number from consent_events e where e.id = any (s.consent_event_ids)
         union all
         select (held.consent ->> 'term_version_id')::bigint, held.number
         from jsonb_array_elements(s.held -> 'consents') with ordinality as held (consent, number)
       ) as given
       join consent_term_versions v on v.id = given.term_version_id join consent_terms t on t.id = v.term_id
     where s.id = $1 order by given.number`,
    [submissionId],
  );
}
