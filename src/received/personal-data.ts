import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  batchOf,
  type ErasedBatch,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';

/** Each has up to 25 MB of source. */
const idsAtOnce = 100;
const beforeAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

async function idsOf(db: Queryable, person: Person, before: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from received_mails where instance_id = $1 and contacts && $2::text[] and id < $3
     order by id desc limit ${idsAtOnce}`,
    [person.instance_id, person.emails, before],
  );
  return rows.map(({ id }) => id);
}

const mails: Collection = {
  name: 'received_mails',
  about: 'Mail to the domains of the sender that is from the person or names an address of theirs.',
  columns: {
    id: 'Identifier of the mail.',
    recipient: 'Whom it was for.',
    mail_from: 'Whom its envelope is from.',
    from_address: 'Whom its header is from.',
    subject: 'Its subject.',
    remote_ip: 'The server that handed it in.',
    received_at: 'When.',
    raw: 'The message.',
  },
  async *rows(db, person) {
    for (let before = beforeAll; ;) {
      const ids = await idsOf(db, person, before);
      for (const id of ids) {
        const rows = await db.query<PersonalRow & { raw: Buffer }>(
          `select m.id, m.recipient, m.mail_from, m.from_address, m.subject, host(m.remote_ip) as remote_ip, m.received_at, s.raw
           from received_mails m join received_sources s on s.id = m.source_id where m.id = $1 and m.instance_id = $2`,
          [id, person.instance_id],
        );
        yield rows.map((row) => ({ ...row, raw: row.raw.toString() }));
      }
      const last = ids.at(-1);
      if (ids.length < idsAtOnce || last === undefined) return;
      before = last;
    }
  },
};

const forwards: Collection = {
  name: 'forward_addresses',
  about: 'Addresses of the person that agreed to get forwarded mail of the sender.',
  columns: {
    address: 'The address.',
    verified_at: 'When it agreed.',
    created_at: 'When it was asked.',
  },
  async *rows(db, person) {
    yield await db.query<PersonalRow>(
      `select address, verified_at, created_at from forward_addresses
       where instance_id = $1 and address_key = any ($2::text[]) order by id`,
      [person.instance_id, person.emails],
    );
  },
};

const withdrawals: Collection = {
  name: 'reply_withdrawals',
  about: 'Answers of the person that asked for no more mail, and what became of them.',
  columns: {
    recipient: 'The address.',
    words: 'What was recognised.',
    state: 'What became of it.',
    created_at: 'When the answer was read.',
    decided_at: 'When it was decided.',
  },
  async *rows(db, person) {
    yield await db.query<PersonalRow>(
      `select recipient, words, state, created_at, decided_at from reply_withdrawals
       where instance_id = $1 and recipient_key = any ($2::text[]) order by received_mail_id`,
      [person.instance_id, person.emails],
    );
  },
};

const passedOn: Collection = {
  name: 'received_forwards',
  about: 'Mail that was forwarded to the person.',
  columns: {
    address: 'The address.',
    state: 'Whether it was sent on.',
    created_at: 'When.',
  },
  async *rows(db, person) {
    yield await db.query<PersonalRow>(
      `select address, state, created_at from received_forwards
       where instance_id = $1 and address_key = any ($2::text[]) order by id`,
      [person.instance_id, person.emails],
    );
  },
};

/** With the sources that no other mail has, and the addresses that mail is forwarded to. */
async function erase(tx: Queryable, person: Person, before = beforeAll): Promise<ErasedBatch> {
  const ids = await idsOf(tx, person, before);
  await deleteReceived(tx, person.instance_id, ids);
  await eraseForwards(tx, person);
  return batchOf(ids, idsAtOnce);
}

/** A route that forwarded to nobody else keeps the mail. */
async function eraseForwards(tx: Queryable, { instance_id, emails }: Person): Promise<void> {
  await tx.query('delete from received_forwards where instance_id = $1 and address_key = any ($2::text[])', [
    instance_id,
    emails,
  ]);
  await tx.query(
    'delete from reply_withdrawals where instance_id = $1 and recipient_key = any ($2::text[])',
    [instance_id, emails],
  );
  await tx.query('delete from forward_addresses where instance_id = $1 and address_key = any ($2::text[])', [
    instance_id,
    emails,
  ]);
  await tx.query(
    `with others as (
       select r.id, array(select a from unnest(r.forward_to) as a where not ${addressKey('a')} = any ($2::text[])) as forward_to
       from inbound_routes r where r.instance_id = $1 and r.action = 'forward'
     )
     update inbound_routes r set forward_to = others.forward_to, updated_at = now(),
       action = case when cardinality(others.forward_to) = 0 then 'store' else r.action end
     from others where others.id = r.id and others.forward_to <> r.forward_to`,
    [instance_id, emails],
  );
}

export async function deleteReceived(tx: Queryable, instanceId: number, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const gone = await tx.query<{ source_id: string }>(
    'delete from received_mails where instance_id = $1 and id = any ($2::uuid[]) returning source_id',
    [instanceId, ids],
  );
  await tx.query(
    `delete from received_sources s where s.instance_id = $1 and s.id = any ($2::uuid[])
       and not exists (select from received_mails m where m.source_id = s.id)`,
    [instanceId, gone.map(({ source_id }) => source_id)],
  );
  return gone.length;
}

export const personalData: PersonalData = {
  tables: [
    'received_mails',
    'received_sources',
    'received_attachments',
    'forward_addresses',
    'received_forwards',
    'reply_withdrawals',
    'inbound_routes',
  ],
  collect: [mails, forwards, passedOn, withdrawals],
  erase,
};
