import type { Queryable } from '../base/db/database.ts';
import type { Collection, ErasedBatch, Person, PersonalData, PersonalRow } from '../base/personal-data.ts';
import { recogniserOf } from '../base/recognise.ts';
import { findOwnAddresses, type MessageHead, namesPerson } from './person-in-message.ts';

/** Each has up to 64 KB. An instance keeps 500 for 90 days. */
const readAtOnce = 25;
const newest = '9223372036854775807';

type Message = MessageHead & { id: number; raw: Buffer };

/** The messages of one page that name the person, the newest first, and where the next page begins. */
async function nextMessages(
  db: Queryable,
  person: Person,
  before = newest,
): Promise<{ ids: number[]; next: string | undefined }> {
  const page = await db.query<Message & Record<string, unknown>>(
    `select id, recipient, mail_from, header_from, subject, raw from inbound_messages
     where instance_id = $1 and id < $2 order by id desc limit ${readAtOnce}`,
    [person.instance_id, before],
  );
  const recognises = recogniserOf(person);
  const own = await findOwnAddresses(db, person.instance_id);
  const ids = page
    .filter(({ raw, ...head }) => namesPerson(head, { recognises, own, text: raw.toString() }))
    .map(({ id }) => id);
  const last = page.at(-1)?.id;
  return { ids, next: page.length < readAtOnce ? undefined : String(last) };
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
    const found: number[] = [];
    let before: string | undefined;
    do {
      const { ids, next } = await nextMessages(db, person, before);
      found.push(...ids);
      before = next;
    } while (before !== undefined);
    for (const id of found.toReversed()) {
      const rows = await db.query<PersonalRow & { raw: Buffer }>(
        `select id, recipient, header_from, subject, host(remote_ip) as remote_ip, received_at, raw
         from inbound_messages where id = $1`,
        [id],
      );
      yield rows.map((row) => ({ ...row, raw: row.raw.toString() }));
    }
  },
};

async function erase(tx: Queryable, person: Person, before: string | undefined): Promise<ErasedBatch> {
  const { ids, next } = await nextMessages(tx, person, before);
  await tx.query('delete from inbound_messages where id = any ($1::bigint[])', [ids]);
  return { rows: ids.length, next };
}

export const personalData: PersonalData = { tables: ['inbound_messages'], collect: [letters], erase };
