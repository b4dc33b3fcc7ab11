import { copyInto, type BatchStep } from '../base/db/copy-in.ts';
import type { Attachment } from '../protocol/mime/outgoing-message.ts';
import type { NewMail, NewMessage } from './new-message.ts';
import { tagKey } from './tags.ts';

const insertMessageRows = copyInto<NewMessage>('messages', {
  msg_id: (to, { msg_id }) => to.uuid(msg_id),
  instance_id: (to, { instance_id }) => to.bigint(instance_id),
  sender_id: (to, { sender_id }) => to.bigint(sender_id),
  category_id: (to, { category_id }) => to.bigint(category_id),
  template_id: (to, { template_id }) => to.bigint(template_id),
  source: (to, { source }) => to.text(source),
  stream: (to, { stream }) => to.text(stream),
  test_mode: (to, { test_mode }) => to.boolean(test_mode),
  rcpt_count: (to, { mails }) => to.smallint(mails.length),
  size_bytes: (to, { size_bytes }) => to.integer(size_bytes),
  content_kind: (to, { content_kind }) => to.text(content_kind),
  envelope: (to, { envelope }) => to.json(envelope),
  html: (to, { html }) => to.bytes(html),
  text: (to, { text }) => to.bytes(text),
  raw: (to, { raw }) => to.bytes(raw),
  variables: (to, { variables }) => to.bytes(variables),
  consent_purpose_id: (to, { consent_purpose_id }) => to.bigint(consent_purpose_id),
});

interface MailRow {
  message: NewMessage;
  mail: NewMail;
}

const insertMailRows = copyInto<MailRow>('mails', {
  mail_id: (to, { mail }) => to.uuid(mail.mail_id),
  msg_id: (to, { message }) => to.uuid(message.msg_id),
  instance_id: (to, { message }) => to.bigint(message.instance_id),
  status: (to, { mail }) => to.smallint(mail.drop_reason === null ? 2 : 4),
  recipient: (to, { mail }) => to.text(mail.recipient),
  recipient_name: (to, { mail }) => to.text(mail.recipient_name),
  recipient_kind: (to, { mail }) => to.text(mail.recipient_kind),
  sender_id: (to, { message }) => to.bigint(message.sender_id),
  sender_email: (to, { message }) => to.text(message.sender_email),
  subject: (to, { mail }) => to.text(mail.subject),
  test_mode: (to, { message }) => to.boolean(message.test_mode),
  category_id: (to, { message }) => to.bigint(message.category_id),
  custom_msg_id: (to, { message }) => to.text(message.custom_msg_id),
  custom_group_code: (to, { message }) => to.text(message.custom_group_code),
  tags: (to, { message }) => to.json(message.tags),
  received_at: (to, { message }) => to.timestamp(message.received_at),
  schedule_at: (to, { message }) => to.timestamp(message.schedule_at),
  queued_at: (to, { message, mail }) => to.timestamp(mail.drop_reason === null ? message.received_at : null),
});

interface TagRow {
  instance_id: number;
  tag: string;
  mail_id: string;
}

const insertTagRows = copyInto<TagRow>('mail_tags', {
  instance_id: (to, { instance_id }) => to.bigint(instance_id),
  tag: (to, { tag }) => to.text(tag),
  mail_id: (to, { mail_id }) => to.uuid(mail_id),
});

function tagRowsOf({ instance_id, tags, mails }: NewMessage): TagRow[] {
  if (tags === null) return [];
  const keys = Object.entries(tags).map(([name, value]) => tagKey(name, value));
  return mails.flatMap(({ mail_id }) => keys.map((tag) => ({ instance_id, tag, mail_id })));
}

interface AttachmentRow {
  msg_id: string;
  position: number;
  file: Attachment;
}

const insertAttachmentRows = copyInto<AttachmentRow>('message_attachments', {
  msg_id: (to, { msg_id }) => to.uuid(msg_id),
  position: (to, { position }) => to.smallint(position),
  type: (to, { file }) => to.text(file.type),
  filename: (to, { file }) => to.text(file.filename),
  content: (to, { file }) => to.bytes(file.content),
  content_id: (to, { file }) => to.text(file.content_id ?? null),
  disposition: (to, { file }) => to.text(file.disposition ?? null),
});

/** Batch steps that insert messages with content, mails and their tags. */
export function insertMessages(batch: NewMessage[]): BatchStep[] {
  const mails = batch.flatMap((message) => message.mails.map((mail) => ({ message, mail })));
  const files = batch.flatMap(({ msg_id, attachments }) =>
    attachments.map((file, position) => ({ msg_id, position, file })),
  );
  const tags = batch.flatMap(tagRowsOf);
  const steps = [insertMessageRows(batch), insertMailRows(mails)];
  if (tags.length > 0) steps.push(insertTagRows(tags));
  if (files.length > 0) steps.push(insertAttachmentRows(files));
  return steps;
}
