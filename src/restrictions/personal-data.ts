import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Collection, ErasedBatch, Person, PersonalData, PersonalRow } from '../base/personal-data.ts';

const ofPerson = `instance_id = $1 and recipient_key = any (
  array(select ${addressKey('given')} from unnest($2::text[]) as given))`;

const restrictions: Collection = {
  name: 'restrictions',
  about: 'Addresses of the person that are not written to.',
  columns: {
    id: 'Identifier of the restriction.',
    recipient: 'The address.',
    reason: 'hard_bounce, complaint or manual.',
    mail_id: 'The mail that bounced or was complained about.',
    detail: 'More about it.',
    created_at: 'Since when.',
  },
  async *rows(db, { instance_id, emails }) {
    yield await db.query<PersonalRow>(
      `select id, recipient, reason, mail_id, detail, created_at from restrictions where ${ofPerson} order by id`,
      [instance_id, emails],
    );
  },
};

/** The keyed hash in `suppressed_contacts` takes their place. One per address. */
async function erase(tx: Queryable, { instance_id, emails }: Person): Promise<ErasedBatch> {
  const rows = await tx.query(`delete from restrictions where ${ofPerson} returning id`, [
    instance_id,
    emails,
  ]);
  return { rows: rows.length, next: undefined };
}

export const personalData: PersonalData = { tables: ['restrictions'], collect: [restrictions], erase };
