import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  erased_at_once,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';

/** From the person, or with their address in the text. Rows are few: each domain keeps a bounded number for 90 days. */
const ofPerson = `i.instance_id = $1 and exists (
  select from unnest($2::text[]) as given (email)
  where position(given.email in lower(i.header_from)) > 0 or position(given.email in lower(i.mail_from)) > 0
    or position(given.email in lower(i.subject)) > 0 or position(given.email in lower(i.recipient)) > 0
    or position(convert_to(given.email, 'UTF8') in i.raw) > 0)`;

const letters: Collection = {
  name: 'inbound_messages',
  about: 'Mail of the person to the domain of the sender.',
  columns: {
    id: 'Identifier of the message.',
    recipient: 'Whom it was for.',
    header_from: 'Whom it was from.',
    subject: 'Its subject.',
    remote_ip: 'The server that handed it in.',
    received_at: 'When.',
    raw: 'The message.',
  },
  async *rows(db, { instance_id, emails }) {
    const found = await db.query<{ id: number }>(
      `select i.id from inbound_messages i where ${ofPerson} order by i.id`,
      [instance_id, emails],
    );
    for (const { id } of found) {
      const rows = await db.query<PersonalRow & { raw: Buffer }>(
        `select id, recipient, header_from, subject, host(remote_ip) as remote_ip, received_at, raw
         from inbound_messages where id = $1`,
        [id],
      );
      yield rows.map((row) => ({ ...row, raw: row.raw.toString() }));
    }
  },
};

async function erase(tx: Queryable, { instance_id, emails }: Person): Promise<number> {
  const rows = await tx.query(
    `delete from inbound_messages where id in (
       select i.id from inbound_messages i where ${ofPerson} order by i.id limit ${erased_at_once}) returning id`,
    [instance_id, emails],
  );
  return rows.length;
}

export const personalData: PersonalData = { tables: ['inbound_messages'], collect: [letters], erase };
