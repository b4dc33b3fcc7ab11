import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import {
  batchOf,
  type Collection,
  erasedAddress,
  erasedAtOnce,
  type ErasedBatch,
  type ErasedMails,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';
import { rowsOfMails } from '../mails/index.ts';

const log: Collection = {
  name: 'events',
  about:
    'What happened to each mail: attempts, replies of servers, opens and clicks with the program that was used.',
  columns: {
    event_id: 'Identifier of the event.',
    mail_id: 'The mail it happened to.',
    at: 'When.',
    event: 'What: attempt, sent, bounced, opened, clicked and so on.',
    status: 'Status of the mail after it.',
    reason: 'Why, as a word.',
    data: 'Details: reply of the server, link, program of the reader.',
    visits: 'How many visits the row stands for.',
  },
  rows: rowsOfMails(
    `select event_id, mail_id, at, event, status, reason, data, visits from events
     where mail_id = any ($1::uuid[]) and instance_id = $2 order by mail_id desc, event_id`,
  ),
};

/** Few per person, and found by address: they outlive the mails they came by. */
function byAddress(table: 'unsubscribes' | 'complaints', selected: string): Collection['rows'] {
  return async function* rows(db, { instance_id, emails }) {
    yield await db.query<PersonalRow>(
      `select ${selected} from ${table} where instance_id = $1 and recipient_key = any ($2::text[]) order by mail_id`,
      [instance_id, emails],
    );
  };
}

const ofMail = { mail_id: 'The mail it came by.', sender: 'Who had sent it.', recipient: 'The address.' };

const unsubscribes: Collection = {
  name: 'unsubscribes',
  about: 'When the person unsubscribed and came back.',
  columns: {
    ...ofMail,
    method: 'one_click, page or mailto.',
    reason: 'What the person said.',
    unsubscribed_at: 'When.',
    resubscribed_at: 'When the person came back.',
  },
  rows: byAddress(
    'unsubscribes',
    'mail_id, sender, recipient, method, reason, unsubscribed_at, resubscribed_at',
  ),
};

const complaints: Collection = {
  name: 'complaints',
  about: 'Complaints of the person about mails.',
  columns: { ...ofMail, type: 'What about.', comment: 'What the person said.', complained_at: 'When.' },
  rows: byAddress('complaints', 'mail_id, sender, recipient, type, comment, complained_at'),
};

/** What counts and what went wrong, and nothing of what was said, followed or used. */
const kept = [
  'attempt',
  'local_ip',
  'tls',
  'smtp_code',
  'enhanced_code',
  'duration_ms',
  'type',
  'next_attempt_at',
  'is_machine',
  'method',
  'last_visit',
];

async function eraseOfMails(tx: Queryable, { instance_id, mail_ids }: ErasedMails): Promise<void> {
  await tx.query(
    `update events set data = (
       select jsonb_object_agg(key, value) from jsonb_each(data) where key = any ($3::text[]))
     where mail_id = any ($2::uuid[]) and instance_id = $1 and data is not null`,
    [instance_id, mail_ids, kept],
  );
}

const words = { unsubscribes: 'reason', complaints: 'comment' } as const;
const newest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Table by table, the newest mail first: a place is `unsubscribes <mail_id>`. */
async function erase(
  tx: Queryable,
  { instance_id, emails }: Person,
  place = `unsubscribes ${newest}`,
): Promise<ErasedBatch> {
  const [name, before] = place.split(' ', 2);
  const table = name === 'complaints' ? name : 'unsubscribes';
  const rows = await tx.query<{ mail_id: string }>(
    `with found as (
       select mail_id from ${table} where instance_id = $1 and mail_id < $4 and recipient_key = any (
         array(select ${addressKey('given')} from unnest($2::text[]) as given))
       order by mail_id desc limit ${erasedAtOnce} for no key update
     ), erased as (
       update ${table} t set recipient = $3, ${words[table]} = null from found where t.mail_id = found.mail_id
     )
     select mail_id from found order by mail_id desc`,
    [instance_id, emails, erasedAddress, before],
  );
  const mail_ids = rows.map(({ mail_id }) => mail_id);
  const { next } = batchOf(mail_ids, erasedAtOnce);
  if (next !== undefined) return { rows: rows.length, next: `${table} ${next}` };
  return { rows: rows.length, next: table === 'unsubscribes' ? `complaints ${newest}` : undefined };
}

export const personalData: PersonalData = {
  tables: ['events', 'unsubscribes', 'complaints'],
  collect: [log, unsubscribes, complaints],
  eraseOfMails,
  erase,
};
