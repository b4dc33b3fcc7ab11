import type { Queryable } from '../base/db/database.ts';
import type { Contact } from '../base/contacts.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import { findErased } from '../restrictions/index.ts';
import type { Answer } from './read-answer.ts';
import { contactFields, type ParsedSubmission } from './read-submission.ts';

/** An answer that is a contact of a person who was erased. */
export interface ErasedAnswer extends Contact {
  field_key: (typeof contactFields)[number][0];
  hash: Buffer;
  /** The request that they were erased by. */
  request_id: number;
}

export async function findErasedAnswers(
  db: Queryable,
  hashes: ContactHashes,
  { instance_id, answers }: { instance_id: number; answers: Record<string, Answer> },
): Promise<ErasedAnswer[]> {
  const contacts = contactFields.flatMap(([field_key, contact_type]) => {
    const contact = answers[field_key];
    if (typeof contact !== 'string') return [];
    return [{ field_key, contact_type, contact, hash: hashes.of(instance_id, { contact_type, contact }) }];
  });
  if (contacts.length === 0) return [];
  const found = await findErased(
    db,
    instance_id,
    contacts.map(({ hash }) => hash),
  );
  return found.flatMap(({ hash, request_id }) =>
    contacts.filter((contact) => contact.hash.equals(hash)).map((contact) => ({ ...contact, request_id })),
  );
}

/** Contacts of the person who has the address: those that were erased with it. The confirmation proves no other. */
export function ownOf(erased: ErasedAnswer[]): ErasedAnswer[] {
  const address = erased.find(({ field_key }) => field_key === 'EMAIL');
  return erased.filter(({ request_id }) => request_id === address?.request_id);
}

/** A submission without these contacts, and without what was agreed to by them. */
export function withoutAnswers(read: ParsedSubmission, left_out: ErasedAnswer[]): ParsedSubmission {
  if (left_out.length === 0) return read;
  const keys = new Set<string>(left_out.map(({ field_key }) => field_key));
  const types = new Set<string>(contactFields.flatMap(([key, type]) => (keys.has(key) ? [type] : [])));
  return {
    ...read,
    answers: Object.fromEntries(Object.entries(read.answers).filter(([key]) => !keys.has(key))),
    consents: read.consents.flatMap(({ consent, rules }) => {
      const kept = rules.filter(({ contact_type }) => !types.has(contact_type));
      return kept.length > 0 ? [{ consent, rules: kept }] : [];
    }),
  };
}
