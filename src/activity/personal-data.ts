import type { Queryable } from '../base/db/database.ts';
import type { ErasedMails, PersonalData } from '../base/personal-data.ts';

/** Subjects that can be searched. They are copies of those of the mails, which the archive has. */
async function eraseOfMails(
  tx: Queryable,
  { instance_id, mail_ids, sibling_ids }: ErasedMails,
): Promise<void> {
  await tx.query('delete from mail_subjects where mail_id = any ($1::uuid[]) and instance_id = $2', [
    [...mail_ids, ...sibling_ids],
    instance_id,
  ]);
}

export const personalData: PersonalData = { tables: ['mail_subjects'], collect: [], eraseOfMails };
