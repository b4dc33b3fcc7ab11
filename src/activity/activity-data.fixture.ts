import type { Tenant, TestService } from '../../test/support/test-service.ts';

export interface GivenMail {
  at: Date;
  msg_id?: string | undefined;
  recipient?: string;
  subject?: string;
  sender_id?: number;
  status?: number;
  sent_at?: Date | null;
  custom_msg_id?: string | null;
  custom_group_code?: string | null;
  category_id?: number | null;
  test_mode?: boolean;
  tags?: Record<string, string> | null;
}

export interface WrittenMail extends Required<Omit<GivenMail, 'at'>> {
  mail_id: string;
  msg_id: string;
  received_at: Date;
  opens: number;
  clicks: number;
}

export interface GivenEvent {
  mail_id: string;
  at: Date;
  event: 'opened' | 'clicked' | 'bounced' | 'sent';
  is_machine?: boolean;
  /** How often it happened, in one row. */
  visits?: number;
  data?: Record<string, unknown>;
}

let made = 0;
/** A UUIDv7 of that moment; later ones of one moment sort after earlier ones. */
export function idAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const count = (made += 1).toString(16).padStart(18, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.slice(0, 3)}-8${count.slice(3, 6)}-${count.slice(6)}`;
}

/** Mails as if they had been accepted and delivered, with their message. */
export async function writeMail(
  { db }: TestService,
  { instance }: Tenant,
  given: GivenMail,
): Promise<WrittenMail> {
  const mail: WrittenMail = {
    recipient: 'ana@example.com',
    subject: 'Order',
    sender_id: 1,
    status: 3,
    sent_at: null,
    custom_msg_id: null,
    custom_group_code: null,
    category_id: null,
    test_mode: false,
    tags: null,
    opens: 0,
    clicks: 0,
    ...given,
    received_at: given.at,
    msg_id: given.msg_id ?? idAt(given.at),
    mail_id: idAt(given.at),
  };
  await db.query(
    `insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes,
       content_kind, envelope, html)
     values ($1, $2, $3, 'http', 'transactional', $4, 1, 100, 'parts', '{}', 'x')
     on conflict (msg_id) do update set rcpt_count = messages.rcpt_count + 1`,
    [mail.msg_id, instance.id, mail.sender_id, mail.test_mode],
  );
  await db.query(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, custom_msg_id, custom_group_code, received_at, queued_at, sent_at, category_id,
       tags)
     values ($1, $2, $3, $4, $5, 'to', $6, 'hello@example.com', $7, $12, $8, $9, $10, $10, $11, $13, $14)`,
    [
      mail.mail_id,
      mail.msg_id,
      instance.id,
      mail.status,
      mail.recipient,
      mail.sender_id,
      mail.subject,
      mail.custom_msg_id,
      mail.custom_group_code,
      mail.received_at,
      mail.sent_at,
      mail.test_mode,
      mail.category_id,
      mail.tags,
    ],
  );
  await db.query(
    `insert into mail_tags (instance_id, tag, mail_id)
     select instance_id, key || ':' || value, mail_id from mails m, jsonb_each_text(m.tags) where mail_id = $1`,
    [mail.mail_id],
  );
  return mail;
}

/** The identifier of a category, as its first use registers it. */
export async function writeCategory(
  { db }: TestService,
  { instance }: Tenant,
  slug: string,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    'insert into categories (instance_id, slug) values ($1, $2) returning id',
    [instance.id, slug],
  );
  return row?.id ?? 0;
}

/** Many mails at once, a tenth of a second apart. */
export async function writeMails(
  { db }: TestService,
  { instance }: Tenant,
  { from, count, subject }: { from: Date; count: number; subject: string },
): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => idAt(new Date(from.getTime() + index * 100)));
  await db.query(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, received_at)
     select id, id, $2, 3, 'ana@example.com', 'to', 1, 'hello@example.com', $3, false, uuid_time(id)
     from unnest($1::uuid[]) as given (id)`,
    [ids, instance.id, subject],
  );
}

/** What happened to a mail, counted on it as tracking does. */
export async function writeEvent(
  { db }: TestService,
  { instance }: Tenant,
  given: GivenEvent,
): Promise<string> {
  const event_id = idAt(given.at);
  const { is_machine = false, visits = 1 } = given;
  const engages = given.event === 'opened' || given.event === 'clicked';
  await db.query(
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event, data, visits)
     select $1, mail_id, msg_id, $2, $3, $4, $5::jsonb, $7 from mails where mail_id = $6`,
    [
      event_id,
      instance.id,
      given.at,
      given.event,
      JSON.stringify({ ...given.data, ...(engages ? { is_machine } : {}) }),
      given.mail_id,
      visits,
    ],
  );
  const counter = given.event === 'opened' ? 'opens' : 'clicks';
  if (engages && !is_machine) {
    await db.query(`update mails set ${counter} = ${counter} + $2 where mail_id = $1`, [
      given.mail_id,
      visits,
    ]);
  }
  return event_id;
}
