import type { Queryable, Statement } from '../base/db/database.ts';
import type { ParsedMail, TakenAction } from './received-mail.ts';

/** What parsing a mail came to. */
export type ParseOutcome = { id: string; lease: string } & ({ parsed: ParsedMail } | { error: string });

export interface RecordedMail {
  id: string;
  instance_id: number;
  action: TakenAction;
  received_at: Date;
  /** The first time: webhooks are told now. Later parsings change what they read, and announce nothing. */
  is_first: boolean;
}

/** Of what reads a source. Raise it when mail that failed can be read by the new one. */
const parserVersion = 1;

const removeAttachments: Statement = {
  name: 'received.remove_attachments',
  text: 'delete from received_attachments where received_mail_id = any ($1::uuid[])',
};

const record: Statement = {
  name: 'received.record_parsed',
  text: `
    with outcome as materialized (
      select * from jsonb_to_recordset($1::jsonb) as o (id uuid, lease uuid, error text, subject text, from_address text,
        from_name text, addresses jsonb, headers jsonb, message_id text, in_reply_to text, reference_ids text[],
        sent_at timestamptz, text text, html text, is_truncated boolean, authentication jsonb, automation jsonb,
        spam_score real, contacts text[], attachments jsonb, text_reply text, text_reply_confidence real,
        in_reply_to_mail_id uuid)
    ), before as (
      select m.id, m.announced_at from received_mails m join outcome o on o.id = m.id and m.parse_lease = o.lease for update of m
    ), recorded as (
      update received_mails m set state = case when o.error is null then 'parsed' else 'failed' end, parse_due_at = null,
        parse_lease = null, parse_error = o.error, parsed_at = $2, parser_version = $3, subject = o.subject,
        from_address = o.from_address, from_name = o.from_name, addresses = o.addresses, headers = o.headers,
        message_id = o.message_id, in_reply_to = o.in_reply_to, reference_ids = o.reference_ids, sent_at = o.sent_at,
        text = o.text, html = o.html, is_truncated = coalesce(o.is_truncated, false), authentication = o.authentication,
        automation = o.automation, spam_score = o.spam_score, contacts = coalesce(o.contacts, m.contacts),
        text_reply = o.text_reply, text_reply_confidence = o.text_reply_confidence,
        in_reply_to_mail_id = o.in_reply_to_mail_id,
        announced_at = coalesce(m.announced_at, case when m.action = 'webhook' then $2::timestamptz end)
      from outcome o join before b on b.id = o.id where m.id = o.id
      returning m.id, m.instance_id, m.action, m.received_at, b.announced_at is null as is_first
    ), files as (
      insert into received_attachments (received_mail_id, n, filename, content_type, content_id, disposition, encoding,
        starts_at, encoded_bytes, size_bytes)
      select o.id, a.n, a.filename, a.content_type, a.content_id, a.disposition, a.encoding, a.starts_at, a.encoded_bytes,
        a.size_bytes
      from outcome o join before b on b.id = o.id cross join lateral jsonb_to_recordset(coalesce(o.attachments, '[]')) as a (
        n smallint, filename text, content_type text, content_id text, disposition text, encoding text, starts_at integer,
        encoded_bytes integer, size_bytes integer)
    )
    select * from recorded`,
};

/** Those whose lease is still held; the others were deleted or are another node's. */
export async function recordParsed(
  tx: Queryable,
  outcomes: ParseOutcome[],
  now: Date,
): Promise<RecordedMail[]> {
  await tx.query(removeAttachments, [outcomes.map(({ id }) => id)]);
  const rows = outcomes.map(({ id, lease, ...outcome }) =>
    'parsed' in outcome ? { id, lease, ...outcome.parsed } : { id, lease, error: outcome.error },
  );
  return await tx.query<RecordedMail & Record<string, unknown>>(record, [
    JSON.stringify(rows),
    now,
    parserVersion,
  ]);
}
