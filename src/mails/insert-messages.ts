import { arrayLiteral, ByteColumns, columnsOf } from '../base/db/columns.ts';
import type { BoundStatement } from '../base/db/database.ts';
import type { NewMessage } from './new-message.ts';

const messages = {
  name: 'mails.insert_messages',
  text: `
    insert into messages (msg_id, instance_id, sender_id, category_id, template_id, source, stream, test_mode,
      rcpt_count, size_bytes, content_kind, envelope, html, text, raw)
    select m.msg_id, m.instance_id, m.sender_id, m.category_id, m.template_id, m.source, m.stream, m.test_mode,
      m.rcpt_count, m.size_bytes, m.content_kind, m.envelope,
      substring($1::bytea from html_at for html_length), substring($1::bytea from text_at for text_length),
      substring($1::bytea from raw_at for raw_length)
    from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
      $9::boolean[], $10::smallint[], $11::integer[], $12::text[], $13::jsonb[],
      $14::integer[], $15::integer[], $16::integer[], $17::integer[], $18::integer[], $19::integer[])
      as m (msg_id, instance_id, sender_id, category_id, template_id, source, stream, test_mode, rcpt_count,
        size_bytes, content_kind, envelope, html_at, html_length, text_at, text_length, raw_at, raw_length)`,
};

const attachments = {
  name: 'mails.insert_attachments',
  text: `
    insert into message_attachments (msg_id, position, type, filename, content)
    select a.msg_id, a.position, a.type, a.filename, substring($1::bytea from content_at for content_length)
    from unnest($2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::integer[], $7::integer[])
      as a (msg_id, position, type, filename, content_at, content_length)`,
};

const mails = {
  name: 'mails.insert_mails',
  text: `
    insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_name, recipient_kind, sender_id,
      sender_email, subject, test_mode, category_id, custom_msg_id, custom_group_code, received_at, queued_at)
    select m.mail_id, m.msg_id, m.instance_id, m.status, m.recipient, m.recipient_name, m.recipient_kind, m.sender_id,
      m.sender_email, m.subject, m.test_mode, m.category_id, m.custom_msg_id, m.custom_group_code, m.received_at,
      case when m.status = 2 then m.received_at end
    from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::bigint[],
      $9::text[], $10::text[], $11::boolean[], $12::bigint[], $13::text[], $14::text[], $15::timestamptz[])
      as m (mail_id, msg_id, instance_id, status, recipient, recipient_name, recipient_kind, sender_id,
        sender_email, subject, test_mode, category_id, custom_msg_id, custom_group_code, received_at)`,
};

/** The statements that write messages with their content and their mails, many at a time. */
export function insertMessages(batch: NewMessage[]): BoundStatement[] {
  const statements = [messageRows(batch), mailRows(batch)];
  if (batch.some((message) => message.attachments.length > 0)) statements.push(attachmentRows(batch));
  return statements;
}

function messageRows(batch: NewMessage[]): BoundStatement {
  const bytes = new ByteColumns();
  const content = (['html', 'text', 'raw'] as const).flatMap((part) => {
    const { starts, lengths } = bytes.add(batch.map((message) => message[part]));
    return [arrayLiteral(starts), arrayLiteral(lengths)];
  });
  return {
    statement: messages,
    values: [
      bytes.toBuffer(),
      ...columnsOf(batch, [
        'msg_id',
        'instance_id',
        'sender_id',
        'category_id',
        'template_id',
        'source',
        'stream',
        'test_mode',
      ]),
      arrayLiteral(batch.map((message) => message.mails.length)),
      ...columnsOf(batch, ['size_bytes', 'content_kind']),
      arrayLiteral(batch.map((message) => JSON.stringify(message.envelope))),
      ...content,
    ],
  };
}

function mailRows(batch: NewMessage[]): BoundStatement {
  // Each field by its name: spreading two objects for every mail took longer than the rest of this file.
  const rows = batch.flatMap((message) => {
    const received_at = message.received_at.toISOString();
    return message.mails.map((mail) => ({
      mail_id: mail.mail_id,
      msg_id: message.msg_id,
      instance_id: message.instance_id,
      status: mail.drop_reason === null ? 2 : 4,
      recipient: mail.recipient,
      recipient_name: mail.recipient_name,
      recipient_kind: mail.recipient_kind,
      sender_id: message.sender_id,
      sender_email: message.sender_email,
      subject: mail.subject,
      test_mode: message.test_mode,
      category_id: message.category_id,
      custom_msg_id: message.custom_msg_id,
      custom_group_code: message.custom_group_code,
      received_at,
    }));
  });
  return {
    statement: mails,
    values: columnsOf(rows, [
      'mail_id',
      'msg_id',
      'instance_id',
      'status',
      'recipient',
      'recipient_name',
      'recipient_kind',
      'sender_id',
      'sender_email',
      'subject',
      'test_mode',
      'category_id',
      'custom_msg_id',
      'custom_group_code',
      'received_at',
    ]),
  };
}

function attachmentRows(batch: NewMessage[]): BoundStatement {
  const rows = batch.flatMap(({ msg_id, attachments: files }) =>
    files.map((file, position) => ({ msg_id, position, ...file })),
  );
  const bytes = new ByteColumns();
  const { starts, lengths } = bytes.add(rows.map(({ content }) => content));
  return {
    statement: attachments,
    values: [
      bytes.toBuffer(),
      ...columnsOf(rows, ['msg_id', 'position', 'type', 'filename']),
      starts,
      lengths,
    ],
  };
}
