import { platformMailGroup } from './platform-mail-group.ts';
import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  erasedAddress,
  erasedText,
  type ErasedMails,
  pageRows,
  pagesBy,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';
import { deleteTags, type TaggedMail } from './delete-tags.ts';
import { statusNameSql } from './statuses.ts';
import { answers, eraseInAnswers } from './personal-answers.ts';

const key = 'lower(m.recipient collate "und-x-icu") collate "C"';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const columns = `m.mail_id, m.msg_id, m.recipient, m.recipient_name, m.recipient_kind, m.sender_email as sender, m.subject,
  m.status, ${statusNameSql('m.status')} as status_name, m.test_mode, m.custom_msg_id, m.custom_group_code, m.tags, m.received_at, m.queued_at, m.sent_at, m.opens, m.clicks`;

export type MailOfPerson = PersonalRow & { mail_id: string; msg_id: string };

/** Newest first, address by address, by the index of recipients. */
export async function* mailsOf(
  db: Queryable,
  { instance_id, emails }: Person,
  selected = 'm.mail_id, m.msg_id',
): AsyncGenerator<MailOfPerson[]> {
  for (const email of emails) {
    yield* pagesBy<MailOfPerson, string>(
      async (before = lastId) =>
        await db.query<MailOfPerson>(
          `select ${selected} from mails m where m.instance_id = $1 and ${key} = $2 and m.mail_id < $3
           order by m.mail_id desc limit ${pageRows}`,
          [instance_id, email, before],
        ),
      ({ mail_id }) => mail_id,
    );
  }
}

/** Rows that belong to mails of the person; `sql` has these as `$1` and the instance as `$2`. */
export function rowsOfMails(sql: string): Collection['rows'] {
  return async function* rows(db, person) {
    for await (const page of mailsOf(db, person)) {
      const ids = page.map(({ mail_id }) => mail_id);
      yield await db.query<PersonalRow>(sql, [ids, person.instance_id]);
    }
  };
}

const mails: Collection = {
  name: 'mails',
  about: 'Every mail that was addressed to the person. Its content is the file mails/<mail_id>.eml.',
  columns: {
    mail_id: 'Identifier of the mail.',
    msg_id: 'Shared by all recipients of one send.',
    recipient: 'The address it was for.',
    recipient_name: 'The name it was addressed with.',
    recipient_kind: 'to, cc or bcc.',
    sender: 'Who sent it.',
    subject: 'Its subject.',
    status: 'What became of it, as a code.',
    status_name: 'The same as a word, such as sent or bounced.',
    test_mode: 'Whether it was a test.',
    custom_msg_id: 'The sender’s identifier of it.',
    custom_group_code: 'The sender’s label of a group.',
    tags: 'The sender’s own names and values, null for none.',
    received_at: 'When it was handed in.',
    queued_at: 'When it was queued.',
    sent_at: 'When the server of the recipient took it.',
    opens: 'Times it was opened.',
    clicks: 'Times a link in it was followed.',
  },
  rows: (db, person) => mailsOf(db, person, columns),
};

/** Mails to an address; of those that the platform wrote, the ones for an instance. */
export interface WhoseMails {
  instance_id: number;
  email: string;
  written_for?: number | undefined;
}

interface PageLimits {
  before?: string | undefined;
  limit: number;
}

const ofPage = `from mails m where m.instance_id = $1 and ${key} = $2 and m.mail_id < $3
  and ($5::text is null or m.custom_group_code = $5) order by m.mail_id desc limit $4`;

function pageValues(
  { instance_id, email, written_for }: WhoseMails,
  { before = lastId, limit }: PageLimits,
): unknown[] {
  const group = written_for === undefined ? null : platformMailGroup(written_for);
  return [instance_id, email, before, limit, group];
}

/** The next page, and where the one after it begins; undefined at the end. */
export async function nextMailsOf(
  db: Queryable,
  whose: WhoseMails,
  page: PageLimits,
): Promise<{ mail_ids: string[]; after: string | undefined }> {
  const rows = await db.query<{ mail_id: string }>(`select m.mail_id ${ofPage}`, pageValues(whose, page));
  const mail_ids = rows.map(({ mail_id }) => mail_id);
  return { mail_ids, after: rows.length < page.limit ? undefined : mail_ids.at(-1) };
}

/** Which mails of the next page can be erased now. The others wait for a delivery or for the index of subjects. */
const next = `
  select m.mail_id, m.msg_id,
    not exists (select from mails s join queue q on q.mail_id = s.mail_id
                where s.instance_id = m.instance_id and s.msg_id = m.msg_id)
    and not exists (select from mail_subjects_pending p
                    where p.instance_id = m.instance_id and m.mail_id = any (p.mail_ids)) as is_free
  ${ofPage}`;

export interface NextMails {
  free: ErasedMails;
  waiting: number;
  after: string | undefined;
}

export async function nextMailsToErase(
  db: Queryable,
  whose: WhoseMails,
  page: PageLimits,
): Promise<NextMails> {
  const { instance_id } = whose;
  const rows = await db.query<{ mail_id: string; msg_id: string; is_free: boolean }>(
    next,
    pageValues(whose, page),
  );
  const free = rows.filter(({ is_free }) => is_free);
  const mail_ids = free.map(({ mail_id }) => mail_id);
  const msg_ids = [...new Set(free.map(({ msg_id }) => msg_id))];
  const siblings = await db.query<{ mail_id: string }>(
    `select mail_id from mails where instance_id = $1 and msg_id = any ($2::uuid[]) and mail_id <> all ($3::uuid[])`,
    [instance_id, msg_ids, mail_ids],
  );
  return {
    free: { instance_id, mail_ids, msg_ids, sibling_ids: siblings.map(({ mail_id }) => mail_id) },
    waiting: rows.length - free.length,
    after: rows.length < page.limit ? undefined : rows.at(-1)?.mail_id,
  };
}

/**
 * The recipient of the mails, and the content of their messages: it was written to the person, and to every other person it was
 * for it has arrived or failed by now. In the order of identifiers, as everybody locks mails.
 */
async function eraseOfMails(
  tx: Queryable,
  { instance_id, mail_ids, msg_ids, sibling_ids }: ErasedMails,
): Promise<void> {
  const all = [...mail_ids, ...sibling_ids];
  const locked = await tx.query<TaggedMail & Record<string, unknown>>(
    'select mail_id, tags from mails where mail_id = any ($1::uuid[]) order by mail_id for no key update',
    [all],
  );
  await deleteTags(tx, instance_id, locked);
  await tx.query(
    'update mails set subject = $2, custom_msg_id = null, tags = null where mail_id = any ($1::uuid[])',
    [all, erasedText],
  );
  await tx.query('update mails set recipient = $2, recipient_name = null where mail_id = any ($1::uuid[])', [
    mail_ids,
    erasedAddress,
  ]);
  await tx.query('delete from message_attachments where msg_id = any ($1::uuid[])', [msg_ids]);
  await tx.query(
    `update messages set content_kind = 'parts', html = null, raw = null, variables = null, text = $3,
       envelope = jsonb_build_object('from', envelope -> 'from', 'to', '[]'::jsonb, 'cc', '[]'::jsonb,
         'subject', $4::text, 'headers', '[]'::jsonb)
     where msg_id = any ($2::uuid[]) and instance_id = $1`,
    [instance_id, msg_ids, Buffer.from(erasedText), erasedText],
  );
}

export const personalData: PersonalData = {
  tables: ['mails', 'mail_tags', 'messages', 'message_attachments', 'idempotency_keys'],
  collect: [mails, answers],
  eraseOfMails,
  erase: eraseInAnswers,
};
