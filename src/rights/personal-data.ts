import type { Queryable } from '../base/db/database.ts';
import type { ContactType } from '../base/contacts.ts';
import {
  batchOf,
  type Collection,
  erasedAtOnce,
  erasedText,
  type ErasedBatch,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';
import { personalData as ofAccounts } from '../accounts/index.ts';
import { personalData as ofActivity } from '../activity/index.ts';
import { personalData as ofAudit } from '../audit/index.ts';
import { personalData as ofConsent } from '../consent/index.ts';
import { personalData as ofEvents } from '../events/index.ts';
import { personalData as ofForms } from '../forms/index.ts';
import { personalData as ofInbound } from '../inbound/index.ts';
import { personalData as ofMails } from '../mails/index.ts';
import { personalData as ofReceived } from '../received/index.ts';
import { personalData as ofRestrictions } from '../restrictions/index.ts';
import { personalData as ofSandbox } from '../sandbox/index.ts';
import { personalData as ofWebhooks } from '../webhooks/index.ts';

/** An identifier is one with its type: a code may have the text of an address. */
const theirs = `r.instance_id = $1 and exists (
  select from jsonb_array_elements(r.contacts) as c
  where (c ->> 'contact_type', c ->> 'contact') in (select * from unnest($2::text[], $3::text[])))`;

function identifiersOf({ emails, phones, codes }: Person): [types: string[], contacts: string[]] {
  const types: ContactType[] = [
    ...emails.map(() => 'email_address' as const),
    ...phones.map(() => 'phone_number' as const),
    ...codes.map(() => 'uniquecode' as const),
  ];
  return [types, [...emails, ...phones, ...codes]];
}

const requests: Collection = {
  name: 'rights_requests',
  about: 'What the person asked for under the law, and the result.',
  columns: {
    id: 'Identifier of the request.',
    kind: 'What was asked for.',
    status: 'unverified, open, fulfilled or refused.',
    contacts: 'The identifiers that were given.',
    detail: 'What the person said.',
    received_at: 'When it was asked.',
    due_at: 'Until when it had to be answered.',
    closed_at: 'When it was answered.',
    ground: 'Of a refusal.',
    resolution: 'What was done.',
    note: 'What the sender noted about the request.',
  },
  async *rows(db, person) {
    yield await db.query<PersonalRow>(
      `select r.id, r.kind, r.status, r.contacts, r.detail, r.received_at, r.due_at, r.closed_at, r.ground, r.resolution,
         r.note
       from rights_requests r where ${theirs} order by r.id limit 10000`,
      [person.instance_id, ...identifiersOf(person)],
    );
  },
};

/** Replaces free text that may be about the person. */
export const erasedWords = `contacts = '[]', detail = null, resolution = null, note = null,
  ground = case when ground is not null then '${erasedText}' end,
  extension_reason = case when extension_reason is not null then '${erasedText}' end`;

const newest = '9223372036854775807';

/** That something was asked and answered stays, with the hashes; by whom does not. An erasure under way needs it still. */
async function erase(tx: Queryable, person: Person, before = newest): Promise<ErasedBatch> {
  const rows = await tx.query<{ id: number }>(
    `with found as (
       select r.id from rights_requests r where ${theirs} and r.started_at is null and r.id < $4
       order by r.id desc limit ${erasedAtOnce}
     ), erased as (
       update rights_requests r set ${erasedWords} from found where r.id = found.id
     )
     select id from found order by id desc`,
    [person.instance_id, ...identifiersOf(person), before],
  );
  return batchOf(
    rows.map(({ id }) => id),
    erasedAtOnce,
  );
}

const ofRights: PersonalData = { tables: ['rights_requests'], collect: [requests], erase };

/** Every room that holds personal data. Mails come last: the other rooms find their rows by them. */
export const rooms: readonly PersonalData[] = [
  ofForms,
  ofSandbox,
  ofWebhooks,
  ofActivity,
  ofEvents,
  ofMails,
  ofRestrictions,
  ofConsent,
  ofInbound,
  ofReceived,
  ofAccounts,
  ofAudit,
  ofRights,
];
