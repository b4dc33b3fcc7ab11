import { answersNotBlocked, noneBlocked } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Contact } from '../base/contacts.ts';
import type { PersonEventType } from '../announce/index.ts';

/** What an event about a person says, as it is now: nothing of a person who was erased is left to be told. */
export interface PersonEvent {
  data: Record<string, unknown>;
  is_blocked: boolean;
  /** Whom it is about. */
  contacts: Contact[];
}

interface Subject {
  subject_id: number;
  data: Record<string, unknown>;
  is_blocked: boolean;
  contacts: Contact[];
}

const contactsIn = (list: string, isBlocked: string): string =>
  `exists (select from jsonb_array_elements(${list}) as named where ${isBlocked})`;
const named = { type: `named ->> 'contact_type'`, contact: `named ->> 'contact'` };

const phoneFields = `select field_key from fields where instance_id = s.instance_id and type = 'phone'`;

/** An erasure leaves no answers. */
const submissions = `
  select s.id as subject_id,
    jsonb_build_object('submission_id', s.id, 'form_id', s.form_id, 'form_name', f.name, 'answers', s.answers) as data,
    not ${answersNotBlocked('s.answers', { phone_number: phoneFields, uniquecode: `'UNIQUECODE'` }, 's.instance_id')} as is_blocked,
    jsonb_path_query_array(jsonb_build_array(
      jsonb_build_object('contact_type', 'email_address', 'contact', s.answers -> 'EMAIL'),
      jsonb_build_object('contact_type', 'phone_number', 'contact', s.answers -> 'PHONE'),
      jsonb_build_object('contact_type', 'uniquecode', 'contact', s.answers -> 'UNIQUECODE')
    ), '$[*] ? (@.contact.type() == "string")') as contacts
  from form_submissions s join forms f on f.id = s.form_id
  where s.id = any ($1::bigint[]) and s.answers <> '{}'`;

/** Sealed evidence is of a person who was erased. */
const consents = (action: 'allow' | 'deny'): string => `
  select e.id as subject_id,
    jsonb_build_object('consent_event_id', e.id, 'term_id', e.term_id, 'term_name', t.name,
      'term_version_id', e.term_version_id, 'term_version', v.version, 'method', e.method, 'source', e.source,
      'rules', rules.list) as data,
    not ${noneBlocked((isBlocked) => contactsIn('rules.list', isBlocked), named, 'e.instance_id')} as is_blocked,
    rules.list as contacts
  from consent_events e
  join consent_terms t on t.id = e.term_id
  join consent_term_versions v on v.id = e.term_version_id
  cross join lateral (
    select jsonb_agg(jsonb_build_object('channel', r.channel, 'contact_type', r.contact_type, 'contact', r.contact,
      'purpose_id', r.purpose_id, 'purpose_code', p.code) order by r.id) as list
    from consent_rules r join consent_purposes p on p.id = r.purpose_id
    where r.instance_id = e.instance_id and r.event_id = e.id and r.action = '${action}'
  ) as rules
  where e.id = any ($1::bigint[]) and rules.list is not null
    and not exists (select from consent_seals s where s.event_id = e.id)`;

/** Whom a request is about is read in the panel. */
const requests = `
  select r.id as subject_id,
    jsonb_build_object('request_id', r.id, 'kind', r.kind, 'origin', r.origin,
      'received_at', to_char(r.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'due_at', to_char(r.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as data,
    not ${noneBlocked((isBlocked) => contactsIn('r.contacts', isBlocked), named, 'r.instance_id')} as is_blocked,
    r.contacts
  from rights_requests r where r.id = any ($1::bigint[]) and r.contacts <> '[]'`;

const sources: Record<PersonEventType, string> = {
  'form.submitted': submissions,
  'form.confirmed': submissions,
  'consent.granted': consents('allow'),
  'consent.withdrawn': consents('deny'),
  'rights.requested': requests,
};

export const isPersonType = (type: string): type is PersonEventType => Object.hasOwn(sources, type);

/** By type and subject; what is gone is missing. */
export async function loadPersonEvents(
  db: Queryable,
  wanted: { type: PersonEventType; subject_id: number }[],
): Promise<Map<string, PersonEvent>> {
  const found = new Map<string, PersonEvent>();
  for (const [type, some] of Map.groupBy(wanted, (each) => each.type)) {
    const ids = [...new Set(some.map(({ subject_id }) => subject_id))];
    for (const { subject_id, ...event } of await db.query<Subject & Record<string, unknown>>(sources[type], [
      ids,
    ])) {
      found.set(`${type} ${subject_id}`, event);
    }
  }
  return found;
}
