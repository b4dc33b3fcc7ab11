import type { Job, JobContext } from '../base/jobs/job.ts';
import type { Queryable } from '../base/db/database.ts';
import { type Contact, contactTypes, sealEvidence } from '../consent/index.ts';
import { type ContactHashes, erasuresReplayed, erasuresToReplay } from '../restrictions/index.ts';
import { erasePerson } from './erase-person.ts';
import { personOf } from './person.ts';

const page_rows = 5_000;

/** What an instance holds by contact, table by table: the type and the contact itself, which an index is sorted by. */
const byContact: [table: string, type: string, contact: string][] = [
  ['mails', `'email_address'`, 'lower(recipient collate "und-x-icu") collate "C"'],
  ['restrictions', `'email_address'`, 'recipient_key'],
  ['unsubscribes', `'email_address'`, 'recipient_key'],
  ['complaints', `'email_address'`, 'recipient_key'],
  ['invitations', `'email_address'`, 'email'],
  ['consent_rules', 'contact_type', 'contact'],
];

/** What it holds by other keys: each value is tried as every type. */
const byKey: Record<string, string> = {
  form_submissions: `select id, array(select value #>> '{}' from jsonb_path_query(answers, 'strict $.**') as value
    where jsonb_typeof(value) = 'string') as contacts from form_submissions`,
  inbound_messages: `select id, array[lower(mail_from), lower(header_from)] as contacts from inbound_messages`,
  rights_requests: `select id, array(select c ->> 'contact' from jsonb_array_elements(contacts) as c) as contacts
    from rights_requests`,
  // Other texts are many, and each takes a hash per type.
  audit_events: `select id, array(select value #>> '{}' from jsonb_path_query(details, 'strict $.**') as value
    where jsonb_typeof(value) = 'string' and value #>> '{}' like '%@%')
    || case when object_kind = 'contact' then array[object_id] end as contacts from audit_events`,
};

async function* contactsHeld(db: Queryable, instanceId: number): AsyncGenerator<Contact[]> {
  for (const [table, type, contact] of byContact) {
    for (let last: string | undefined = ''; last !== undefined;) {
      const rows: Contact[] = await db.query<Contact & Record<string, unknown>>(
        `select ${type} as contact_type, ${contact} as contact from ${table} where instance_id = $1 and ${contact} > $2
         order by ${contact} limit ${page_rows}`,
        [instanceId, last],
      );
      yield distinct(rows);
      last = rows.length < page_rows ? undefined : rows.at(-1)?.contact;
    }
  }
  for (const source of Object.values(byKey)) {
    for (let last: number | undefined = 0; last !== undefined;) {
      const rows: { id: number; contacts: (string | null)[] }[] = await db.query(
        `${source} where instance_id = $1 and id > $2 order by id limit ${page_rows}`,
        [instanceId, last],
      );
      const texts = rows.flatMap(({ contacts }) => contacts).filter((text) => text !== null);
      yield distinct(
        texts.flatMap((contact) => contactTypes.map((contact_type) => ({ contact_type, contact }))),
      );
      last = rows.length < page_rows ? undefined : rows.at(-1)?.id;
    }
  }
}

function distinct(contacts: Contact[]): Contact[] {
  return [...new Map(contacts.map((each) => [`${each.contact_type} ${each.contact}`, each])).values()];
}

/** Erases again whom a backup brought back. Returns how many contacts were found. */
export async function replayErasures(context: JobContext, hashes: ContactHashes): Promise<number> {
  const { db, now } = context;
  const byInstance = Map.groupBy(await erasuresToReplay(db), ({ instance_id }) => instance_id);
  let found = 0;
  for (const [instanceId, erasures] of byInstance) {
    const requests = new Map(erasures.map(({ hash, request_id }) => [hash.toString('hex'), request_id]));
    let is_complete = true;
    for await (const page of contactsHeld(db, instanceId)) {
      for (const contact of page) {
        const request_id = requests.get(hashes.of(instanceId, contact).toString('hex'));
        if (request_id === undefined) continue;
        found += 1;
        const person = await personOf(db, instanceId, [contact]);
        await db.transaction(async (tx) => await sealEvidence(tx, person, { request_id, at: now }));
        is_complete = (await erasePerson(context, person)).is_complete && is_complete;
      }
    }
    const replayed = erasures.map(({ hash }) => hash);
    if (is_complete && !context.isStopping()) await erasuresReplayed(db, instanceId, replayed);
  }
  return found;
}

export const replay_rhythm = { name: 'rights_replays', every_ms: 60_000 } as const;

export function replayErasuresJob(hashes: ContactHashes): Job {
  return {
    ...replay_rhythm,
    destructive: true,
    async run(context) {
      return `${await replayErasures(context, hashes)} contacts erased again`;
    },
  };
}
