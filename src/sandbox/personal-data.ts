import type { Queryable } from '../base/db/database.ts';
import type { Collection, ErasedMails, PersonalData, PersonalRow } from '../base/personal-data.ts';
import { mailsOf } from '../mails/index.ts';

/** Messages are up to 15 MB. */
const readAtOnce = 4;

const captured: Collection = {
  name: 'sandbox_messages',
  about: 'Messages that the sandbox captured in place of a delivery.',
  columns: {
    mail_id: 'The mail.',
    recipient: 'The address.',
    captured_at: 'When.',
    raw: 'The message as it would have been delivered.',
  },
  async *rows(db, person) {
    for await (const page of mailsOf(db, person)) {
      const kept = await db.query<{ mail_id: string }>(
        `select mail_id from sandbox_messages where mail_id = any ($1::uuid[]) and instance_id = $2
         order by mail_id desc`,
        [page.map(({ mail_id }) => mail_id), person.instance_id],
      );
      for (let at = 0; at < kept.length; at += readAtOnce) {
        const ids = kept.slice(at, at + readAtOnce).map(({ mail_id }) => mail_id);
        const rows = await db.query<PersonalRow & { raw: Buffer }>(
          `select mail_id, recipient, captured_at, raw from sandbox_messages
           where mail_id = any ($1::uuid[]) and instance_id = $2 order by mail_id desc`,
          [ids, person.instance_id],
        );
        yield rows.map((row) => ({ ...row, raw: row.raw.toString() }));
      }
    }
  },
};

/** Those to other recipients of the same messages too: their header names the person. */
async function eraseOfMails(
  tx: Queryable,
  { instance_id, mail_ids, sibling_ids }: ErasedMails,
): Promise<void> {
  // Mail of the platform was captured for the instance that it is about.
  await tx.query(
    `delete from sandbox_messages where mail_id = any ($1::uuid[]) and (instance_id = $2 or platform_kind is not null)`,
    [[...mail_ids, ...sibling_ids], instance_id],
  );
}

export const personalData: PersonalData = { tables: ['sandbox_messages'], collect: [captured], eraseOfMails };
