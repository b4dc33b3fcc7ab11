import type { Variables } from '../templates/index.ts';
import { sendLimits } from './send-schema.ts';

/** A mailbox of an unvalidated body; members are undefined when they have the wrong type. */
export interface RawMailbox {
  email: string | undefined;
  name: string | undefined;
  variables: Variables | undefined;
}

export interface RawAttachment {
  type: string | undefined;
  content: string | undefined;
  filename: string | undefined;
  content_id: string | undefined;
  disposition: 'inline' | 'attachment' | undefined;
}

/** The members that rules beyond the schema check. */
export interface RawSendBody {
  sender_email: string | undefined;
  to: RawMailbox[];
  cc: RawMailbox[];
  bcc: RawMailbox[];
  /** Each with where the body has it. */
  reply_to: { pointer: string; mailbox: RawMailbox }[];
  reply_token: boolean;
  sender_name: string | undefined;
  template_id: number | undefined;
  template_alias: string | undefined;
  template_variables: Variables | undefined;
  strict_variables: boolean;
  subject: string | undefined;
  html: string | undefined;
  text: string | undefined;
  headers: Record<string, string>;
  tags: Record<string, string> | undefined;
  attachments: RawAttachment[];
  category: string | undefined;
  schedule_at: string | undefined;
}

/**
 * Reads the members of any body. Values of the wrong type are skipped, since the schema reports them; the rest is
 * still checked, so that a client gets all violations in one answer.
 */
export function readRawSendBody(body: unknown): RawSendBody {
  const fields = record(body);
  const { subject, html, text, template_id } = fields;
  return {
    sender_email: string(fields['sender_email']),
    to: list(fields['to']).map(mailbox),
    cc: list(fields['cc']).map(mailbox),
    bcc: list(fields['bcc']).map(mailbox),
    reply_to: replyTo(fields['reply_to']),
    reply_token: fields['reply_token'] === true,
    sender_name: string(fields['sender_name']),
    template_id: isGiven(template_id) ? Number(template_id) : undefined,
    template_alias: content(fields['template_alias']),
    template_variables: variables(fields['template_variables']),
    strict_variables: fields['strict_variables'] === true,
    subject: content(subject),
    html: content(html),
    text: content(text),
    headers: texts(fields['headers']),
    tags: isGiven(fields['tags']) ? texts(fields['tags']) : undefined,
    attachments: list(fields['attachments']).map(attachment),
    category: string(fields['category']),
    schedule_at: string(fields['schedule_at']),
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A value of the wrong type is present, not missing. */
function content(value: unknown): string | undefined {
  return isGiven(value) ? (string(value) ?? '') : undefined;
}

/** Longer lists are refused by the schema; checking their head is enough. */
function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, sendLimits.list_items) : [];
}

function record(value: unknown): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : {};
}

function texts(value: unknown): Record<string, string> {
  if (!isGiven(value)) return {};
  const members = Object.entries(record(value)).slice(0, sendLimits.list_items);
  return Object.fromEntries(members.map(([name, text]) => [name, string(text) ?? '']));
}

function variables(value: unknown): Variables | undefined {
  return isGiven(value) ? record(value) : undefined;
}

function mailbox(value: unknown): RawMailbox {
  const { email, name, variables: given } = record(value);
  return { email: string(email), name: string(name), variables: variables(given) };
}

function replyTo(value: unknown): RawSendBody['reply_to'] {
  if (!isGiven(value)) return [];
  if (!Array.isArray(value)) return [{ pointer: '/reply_to', mailbox: mailbox(value) }];
  return list(value).map((each, index) => ({ pointer: `/reply_to/${index}`, mailbox: mailbox(each) }));
}

function attachment(value: unknown): RawAttachment {
  const { type, content: base64, filename, content_id, disposition } = record(value);
  return {
    type: string(type),
    content: string(base64),
    filename: string(filename),
    content_id: string(content_id),
    disposition: disposition === 'inline' || disposition === 'attachment' ? disposition : undefined,
  };
}
