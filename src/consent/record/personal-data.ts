import type { Queryable } from '../../base/db/database.ts';
import {
  type Collection,
  pageRows,
  pagesBy,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../../base/personal-data.ts';

const theirs = `r.instance_id = $1 and (r.contact_type, r.contact) in (
  select * from unnest($2::text[], $3::text[]))`;

function contactsOf({ emails, phones, codes }: Person): [string[], string[]] {
  const types = [
    ...emails.map(() => 'email_address'),
    ...phones.map(() => 'phone_number'),
    ...codes.map(() => 'uniquecode'),
  ];
  return [types, [...emails, ...phones, ...codes]];
}

type EventRow = PersonalRow & { id: number };

/** Sealed evidence too: this is the only way to read it. */
const consents: Collection = {
  name: 'consents',
  about: 'What the person agreed to and withdrew, with the text, the origin and the hashes of the evidence.',
  columns: {
    id: 'Identifier of the event.',
    created_at: 'When.',
    status: 'confirmed or pending, as recorded.',
    outcome: 'The result of a pending event.',
    method: 'single_opt_in or double_opt_in.',
    source: 'form, api, import or system.',
    term: 'What the text is called.',
    version: 'Its version.',
    text: 'The text, word by word.',
    text_sha256: 'SHA-256 of the text.',
    rules: 'What was allowed or denied, for which purpose and channel.',
    evidence: 'Who told and from where.',
    is_sealed: 'Whether it is kept as proof after an erasure.',
    sequence: 'Place in the hash chain.',
    hash: 'SHA-256 of that place.',
  },
  rows: (db, person) =>
    pagesBy<EventRow, number>(
      async (after = 0) =>
        await db.query<EventRow>(
          `select e.id, e.created_at, e.status, o.status as outcome, e.method, e.source, t.name as term, v.version,
             v.body as text, encode(e.text_hash, 'hex') as text_sha256,
             (select jsonb_agg(jsonb_build_object('channel', r.channel, 'contact', r.contact, 'purpose', p.code,
                'action', r.action) order by r.id)
              from consent_rules r join consent_purposes p on p.id = r.purpose_id where r.event_id = e.id) as rules,
             e.evidence, exists (select from consent_seals s where s.event_id = e.id) as is_sealed, e.sequence,
             encode(e.hash, 'hex') as hash
           from consent_events e
           join consent_terms t on t.id = e.term_id join consent_term_versions v on v.id = e.term_version_id
           left join consent_event_outcomes o on o.event_id = e.id
           where e.id in (select r.event_id from consent_rules r where ${theirs}) and e.id > $4
           order by e.id limit ${pageRows}`,
          [person.instance_id, ...contactsOf(person), after],
        ),
      ({ id }) => id,
    ),
};

/** The law asks for proof of consent, so that the evidence stays; from now on only a rights request reads it. */
export async function sealEvidence(
  tx: Queryable,
  person: Person,
  { request_id, at }: { request_id: number; at: Date },
): Promise<number> {
  const rows = await tx.query(
    `insert into consent_seals (event_id, instance_id, request_id, sealed_at)
     select distinct r.event_id, r.instance_id, $4::bigint, $5::timestamptz from consent_rules r where ${theirs}
     on conflict (event_id) do nothing returning event_id`,
    [person.instance_id, ...contactsOf(person), request_id, at],
  );
  return rows.length;
}

export const personalData: PersonalData = {
  tables: ['consent_events', 'consent_rules', 'consent_event_outcomes'],
  collect: [consents],
};
