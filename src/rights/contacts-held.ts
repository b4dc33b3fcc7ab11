import { type Contact, contactTypes } from '../base/contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { addressesIn } from '../base/recognise.ts';

const pageRows = 5_000;

/** What an instance holds by contact, table by table: the type and the contact itself, which an index is sorted by. */
const byContact: [table: string, type: string, contact: string][] = [
  ['mails', `'email_address'`, 'lower(recipient collate "und-x-icu") collate "C"'],
  ['restrictions', `'email_address'`, 'recipient_key'],
  ['unsubscribes', `'email_address'`, 'recipient_key'],
  ['complaints', `'email_address'`, 'recipient_key'],
  ['invitations', `'email_address'`, 'email'],
  ['consent_rules', 'contact_type', 'contact'],
];

/** What it holds in texts: each is tried as every type, and the addresses in it. */
const inTexts: string[] = [
  `select id, array(select value #>> '{}' from jsonb_path_query(answers, 'strict $.**') as value
    where jsonb_typeof(value) = 'string') as texts from form_submissions`,
  'select id, array[mail_from, header_from, subject] as texts from inbound_messages',
  `select id, array(select c ->> 'contact' from jsonb_array_elements(contacts) as c) as texts from rights_requests`,
  `select id, array(select value #>> '{}' from jsonb_path_query(details, 'strict $.**') as value
    where jsonb_typeof(value) = 'string') || case when object_kind = 'contact' then array[object_id] end as texts
   from audit_events`,
];

/** Every contact that an instance holds, in pages. */
export async function* contactsHeld(db: Queryable, instanceId: number): AsyncGenerator<Contact[]> {
  for (const [table, type, contact] of byContact) {
    for (let last: string | undefined = ''; last !== undefined;) {
      const rows: Contact[] = await db.query<Contact & Record<string, unknown>>(
        `select ${type} as contact_type, ${contact} as contact from ${table} where instance_id = $1 and ${contact} > $2
         order by ${contact} limit ${pageRows}`,
        [instanceId, last],
      );
      yield distinct(rows);
      last = rows.length < pageRows ? undefined : rows.at(-1)?.contact;
    }
  }
  for (const source of inTexts) {
    for (let last: number | undefined = 0; last !== undefined;) {
      const rows: { id: number; texts: (string | null)[] }[] = await db.query(
        `${source} where instance_id = $1 and id > $2 order by id limit ${pageRows}`,
        [instanceId, last],
      );
      yield distinct(
        rows.flatMap(({ texts }) => texts).flatMap((text) => (text === null ? [] : contactsIn(text))),
      );
      last = rows.length < pageRows ? undefined : rows.at(-1)?.id;
    }
  }
}

/** Longer than any contact. */
const maxContact = 512;

function contactsIn(text: string): Contact[] {
  const found: Contact[] = [];
  addressesIn(text, (contact) => {
    found.push(contact);
    return false;
  });
  if (text.length > maxContact) return found;
  return [...found, ...contactTypes.map((contact_type) => ({ contact_type, contact: text }))];
}

function distinct(contacts: Contact[]): Contact[] {
  return [...new Map(contacts.map((each) => [`${each.contact_type} ${each.contact}`, each])).values()];
}
