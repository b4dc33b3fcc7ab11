import { addressKey } from '../base/db/address-key.ts';
import { columnsOf } from '../base/db/columns.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Field } from './field-schemas.ts';
import type { ContactAnswers } from './contact-answers.ts';
import { contactKeyOf } from './submission-conditions.ts';

export interface ImportedRow {
  /** In canonical form. */
  email: string;
  /** Without the address. */
  answers: ContactAnswers;
  consent_event_ids: number[];
}

type ImportableField = Pick<Field, 'name' | 'field_key' | 'type' | 'config'>;

/** Fields that a file can fill in: the active ones. */
export async function importableFields(db: Queryable, instanceId: number): Promise<ImportableField[]> {
  return await db.query<ImportableField & Record<string, unknown>>(
    `select name, field_key, type, config from fields
     where instance_id = $1 and is_active and deleted_at is null order by id`,
    [instanceId],
  );
}

/** What imports told about these contacts, the newest answer to each field; by address. */
export async function findImportedAnswers(
  db: Queryable,
  instanceId: number,
  emails: string[],
): Promise<Map<string, ContactAnswers>> {
  const rows = await db.query<{ email: string; answers: ContactAnswers }>(
    `select given.email, told.answers from unnest($2::text[]) as given (email)
     cross join lateral (
       select jsonb_object_agg(answer.key, answer.value order by s.id) as answers
       from form_submissions s cross join lateral jsonb_each(s.answers) as answer
       where s.instance_id = $1 and s.status = 'confirmed' and s.contact_import_id is not null
         and ${contactKeyOf('s')} = ${addressKey('given.email')}
     ) as told where told.answers is not null`,
    [instanceId, emails],
  );
  return new Map(rows.map(({ email, answers }) => [email, answers]));
}

/** As what a form would have brought, from nobody's browser. */
export async function storeImportedAnswers(
  tx: Queryable,
  instanceId: number,
  { import_id, at, rows }: { import_id: number; at: Date; rows: ImportedRow[] },
): Promise<void> {
  if (rows.length === 0) return;
  const stored = rows.map(({ email, answers, consent_event_ids }) => ({
    answers: JSON.stringify({ ...answers, EMAIL: email }),
    events: `{${consent_event_ids.join(',')}}`,
  }));
  await tx.query(
    `insert into form_submissions (instance_id, contact_import_id, status, answers, consent_event_ids, created_at,
       confirmed_at)
     select $1, $2, 'confirmed', told.answers::jsonb, told.events::bigint[], $3, $3
     from unnest($4::text[], $5::text[]) as told (answers, events)`,
    [instanceId, import_id, at, ...columnsOf(stored, ['answers', 'events'])],
  );
}
