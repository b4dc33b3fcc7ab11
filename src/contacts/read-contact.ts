import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import { canonicalContact } from '../base/contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { listStandingConsents } from '../consent/index.ts';
import { listToldAnswers, type ToldAnswers } from '../forms/index.ts';
import { listRequests } from '../rights/index.ts';
import { type Contact, listedAtMost } from './contact-schemas.ts';

interface Asked {
  contact: string;
  hashes: ContactHashes;
  now: Date;
  /** Whether the caller may read privacy requests. */
  with_requests: boolean;
}

/** All that is known about an address, from where it is kept. Of a person who is blocked nothing is shown. */
export async function readContact(
  db: Queryable,
  instanceId: number,
  { contact: given, hashes, now, with_requests }: Asked,
): Promise<Contact> {
  const contact = canonicalContact({ contact_type: 'email_address', contact: given });
  await requireNotBlocked(db, instanceId, contact);
  const [told, consents, state, mails] = await Promise.all([
    listToldAnswers(db, instanceId, contact),
    listStandingConsents(db, instanceId, [contact]),
    readState(db, instanceId, contact),
    listMails(db, instanceId, contact),
  ]);
  const requests = await listRequests(db, instanceId, {
    filters: { contact, page_size: listedAtMost },
    hashes,
    now,
  });
  const { restricted, unsubscribed_at, complained_at } = state;
  const isKnown = [told, consents, mails, requests.data].some(({ length }) => length > 0);
  if (!isKnown && !restricted && !unsubscribed_at && !complained_at) throw new Problem('contact_not_found');
  return {
    contact,
    answers: await answersOf(db, instanceId, told),
    consents: consents.map(({ contact: _contact, ...consent }) => consent),
    suppression: state,
    submissions: await submissionsOf(db, instanceId, told),
    mails,
    rights_requests: with_requests
      ? requests.data.map(({ id, kind, status, received_at, due_at }) => ({
          id,
          kind,
          status,
          received_at,
          due_at,
        }))
      : null,
  };
}

async function requireNotBlocked(db: Queryable, instanceId: number, contact: string): Promise<void> {
  const [row] = await db.query<{ is_shown: boolean }>(
    `select ${notBlocked(addressKey('$2'), '$1')} as is_shown`,
    [instanceId, contact],
  );
  if (row?.is_shown !== true) throw new Problem('contact_not_found');
}

interface FieldName {
  [name: string]: unknown;
  field_key: string;
  name: string;
  type: string;
}

/** The answer that outweighs the others, field by field; one that was taken back does not count. */
async function answersOf(
  db: Queryable,
  instanceId: number,
  told: ToldAnswers[],
): Promise<Contact['answers']> {
  const winners = new Map<string, ToldAnswers>();
  for (const each of told) {
    for (const key of Object.keys(each.answers)) if (!winners.has(key)) winners.set(key, each);
  }
  const fields = await db.query<FieldName>(
    'select field_key, name, type from fields where instance_id = $1 and field_key = any ($2::text[]) order by id',
    [instanceId, [...winners.keys()].filter((key) => key !== 'EMAIL')],
  );
  return fields.flatMap((field) => {
    const from = winners.get(field.field_key);
    const value = from?.answers[field.field_key] ?? null;
    if (!from || value === null) return [];
    const { created_at: told_at, is_proven, submission_id, form_id, contact_import_id } = from;
    return [{ ...field, value, told_at, is_proven, submission_id, form_id, contact_import_id }];
  });
}

async function submissionsOf(
  db: Queryable,
  instanceId: number,
  told: ToldAnswers[],
): Promise<Contact['submissions']> {
  const newest = told.toSorted((a, b) => b.submission_id - a.submission_id).slice(0, listedAtMost);
  return await db.query<Contact['submissions'][number] & Record<string, unknown>>(
    `select s.id, s.form_id, f.name as form_name, s.contact_import_id, s.is_update, s.created_at
     from form_submissions s left join forms f on f.id = s.form_id
     where s.instance_id = $1 and s.id = any ($2::bigint[]) order by s.id desc`,
    [instanceId, newest.map(({ submission_id }) => submission_id)],
  );
}

async function readState(
  db: Queryable,
  instanceId: number,
  contact: string,
): Promise<Contact['suppression']> {
  const ofContact = `instance_id = $1 and recipient_key = ${addressKey('$2')}`;
  const [row] = await db.query<Contact['suppression'] & Record<string, unknown>>(
    `select (select json_build_object('id', id, 'reason', reason, 'created_at', created_at)
             from restrictions where ${ofContact}) as restricted,
       (select max(unsubscribed_at) from unsubscribes where ${ofContact} and resubscribed_at is null) as unsubscribed_at,
       (select max(complained_at) from complaints where ${ofContact}) as complained_at`,
    [instanceId, contact],
  );
  return row as Contact['suppression'];
}

/** By the index of recipients, which ends with the mail. */
async function listMails(db: Queryable, instanceId: number, contact: string): Promise<Contact['mails']> {
  return await db.query<Contact['mails'][number] & Record<string, unknown>>(
    `select mail_id, subject, sender_email as sender, status, received_at, opens, clicks from mails
     where instance_id = $1
       and lower(recipient collate "und-x-icu") collate "C" = lower($2 collate "und-x-icu") collate "C"
     order by mail_id desc limit ${listedAtMost}`,
    [instanceId, contact],
  );
}
