import { Type, type Static } from 'typebox';
import type { Queryable } from '../../base/db/database.ts';
import { Id, Nullable } from '../../base/http/schemas.ts';
import { getTerm } from './terms.ts';

const maxCounted = 10_000;
const maxForms = 50;

export const ConsentTermDependents = Type.Object(
  {
    forms: Type.Array(
      Type.Object({
        id: Id('Identifier of the form.'),
        name: Type.String({ examples: ['Newsletter'] }),
        is_required: Type.Boolean({
          description:
            'Nothing can be submitted without this consent: the form closes when the term is inactive.',
        }),
      }),
      { description: `Active forms that ask for it, at most ${maxForms}.` },
    ),
    form_count: Type.Integer({ description: 'How many there are.' }),
    closing_form_count: Type.Integer({ description: 'How many of them would close.' }),
    sender_count: Type.Integer({
      description: 'Senders that require consent for one of its purposes.',
    }),
    stranded_sender_count: Type.Integer({
      description:
        'How many of them have no other active term with a current version by which new people could agree.',
    }),
    pending_event_count: Type.Integer({
      description: 'Consents under it that wait for a confirmation. They can still be confirmed.',
    }),
    event_count: Nullable(
      Type.Integer({
        description: `Events on record under it; null above ${maxCounted}. They stand, whatever becomes of the term.`,
      }),
    ),
  },
  { $id: 'ConsentTermDependents' },
);
export type ConsentTermDependents = Static<typeof ConsentTermDependents>;

/** What a person should know before they deactivate a term. */
export async function findTermDependents(
  db: Queryable,
  instanceId: number,
  id: number,
): Promise<ConsentTermDependents> {
  await getTerm(db, instanceId, id);
  const forms = await db.query<ConsentTermDependents['forms'][number]>(
    `select f.id, f.name, bool_or(it.is_required) as is_required
     from form_items it join forms f on f.id = it.form_id
     where it.term_id = $2 and f.instance_id = $1 and f.is_active and f.deleted_at is null
     group by f.id, f.name order by f.id`,
    [instanceId, id],
  );
  const [counts] = await db.query<Counts & Record<string, unknown>>(
    `with dependent as (
       select s.id, exists (
         select from consent_term_purposes other
           join consent_terms t on t.id = other.term_id and t.is_active
           join consent_term_versions v on v.term_id = t.id and v.is_current
         where other.purpose_id = s.consent_purpose_id and other.term_id <> $2) as has_other
       from senders s
       where s.instance_id = $1 and s.deleted_at is null and s.requires_consent
         and s.consent_purpose_id in (select purpose_id from consent_term_purposes where term_id = $2))
     select (select count(*) from dependent) as sender_count,
       (select count(*) from dependent where not has_other) as stranded_sender_count,
       (select count(*) from consent_events e left join consent_event_outcomes o on o.event_id = e.id
        where e.instance_id = $1 and e.term_id = $2 and e.status = 'pending' and o.event_id is null) as pending_event_count,
       (select count(*) from (select from consent_events e where e.instance_id = $1 and e.term_id = $2
          limit ${maxCounted + 1}) counted) as events`,
    [instanceId, id],
  );
  const { events, ...others } = counts as Counts;
  return {
    forms: forms.slice(0, maxForms),
    form_count: forms.length,
    closing_form_count: forms.filter(({ is_required }) => is_required).length,
    ...others,
    event_count: events > maxCounted ? null : events,
  };
}

interface Counts {
  sender_count: number;
  stranded_sender_count: number;
  pending_event_count: number;
  events: number;
}
