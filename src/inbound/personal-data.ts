import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  erased_at_once,
  escapePattern,
  type Person,
  type PersonalData,
  type PersonalRow,
  wholeAddress,
} from '../base/personal-data.ts';

/** From the person, or with their address in the text. Rows are few: each instance keeps a bounded number for 90 days. */
const ofPerson = `i.instance_id = $1 and (
  concat_ws(E'\\n', i.header_from, i.mail_from, i.subject, i.recipient) ~* $2 or encode(i.raw, 'escape') ~* $3)`;

function valuesOf({ instance_id, emails }: Person): unknown[] {
  const anyOf = (spelled: string[]): string | null =>
    spelled.map((text) => wholeAddress(escapePattern(text))).join('|') || null;
  return [instance_id, anyOf(emails), anyOf(emails.map(escapedBytes))];
}

/** As `encode` of PostgreSQL writes bytes in the format `escape`. */
function escapedBytes(text: string): string {
  const bytes = [...Buffer.from(text.replaceAll('\\', String.raw`\\`))];
  return bytes.map((byte) => (byte < 128 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`)).join('');
}

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
  async *rows(db, person) {
    const found = await db.query<{ id: number }>(
      `select i.id from inbound_messages i where ${ofPerson} order by i.id`,
      valuesOf(person),
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

async function erase(tx: Queryable, person: Person): Promise<number> {
  const rows = await tx.query(
    `delete from inbound_messages where id in (
       select i.id from inbound_messages i where ${ofPerson} order by i.id limit ${erased_at_once}) returning id`,
    valuesOf(person),
  );
  return rows.length;
}

export const personalData: PersonalData = { tables: ['inbound_messages'], collect: [letters], erase };
