import type { Queryable } from '../base/db/database.ts';
import { plainTextOf } from '../mails/plain-text.ts';
import type { MailTokens } from '../mails/mail-token.ts';
import { hashBody } from '../protocol/dkim/hash-body.ts';
import { composeMessage } from '../protocol/mime/compose-message.ts';
import { readHeaderBlock, removeFields, type HeaderField } from '../protocol/mime/header-block.ts';
import { foldHeader } from '../protocol/mime/fold-header.ts';
import { renderContent } from '../templates/render-template.ts';
import { loadAttachments, type DueMail, type StoredMessage } from './load-batch.ts';

/** Header and body of a message, and the hash that its signature covers: the same for all recipients that share it. */
interface BuiltMessage {
  header: Buffer;
  body: Buffer;
  body_hash: string;
}

export interface BuildContext {
  db: Queryable;
  tokens: MailTokens;
  base_url: string;
  /** Name of this server, in the trace it leaves. */
  hostname: string;
}

/** What goes over the wire for one recipient, before it is signed. */
export interface PersonalMessage extends BuiltMessage {
  mail_from: string;
}

/** Messages are built once and personalised per recipient; those under way together share what they can. */
export function createMessageBuilder(context: BuildContext): (mail: DueMail) => Promise<PersonalMessage> {
  const shared = new WeakMap<StoredMessage, Promise<BuiltMessage>>();
  return async (mail) => {
    const { message } = mail;
    // A template says something else to everyone.
    const isShared = message.content_kind !== 'liquid';
    const built = (isShared ? shared.get(message) : undefined) ?? build(context, mail);
    if (isShared) shared.set(message, built);
    const { header, body, body_hash } = await built;
    return {
      mail_from: `bounce-${context.tokens.make('bounce', mail.mail_id)}@${message.domain}`,
      header: Buffer.concat([Buffer.from(personalHeader(context, mail)), header]),
      body,
      body_hash,
    };
  };
}

async function build(context: BuildContext, mail: DueMail): Promise<BuiltMessage> {
  const { message } = mail;
  if (message.raw) return splitRaw(message, mail.received_at);
  const { envelope } = message;
  const { subject, html, text } = contentFor(context, mail);
  const composed = composeMessage({
    ...envelope,
    subject,
    message_id: `${message.msg_id}@${message.domain}`,
    date: mail.received_at,
    html: [html],
    text: [text ?? plainTextOf(html)],
    attachments: await loadAttachments(context.db, message.msg_id),
  });
  const body = composed.render(() => '');
  return { header: composed.header, body, body_hash: hashBody(body) };
}

interface Content {
  subject: string;
  html: string;
  text: string | null;
}

function contentFor({ tokens, base_url }: BuildContext, mail: DueMail): Content {
  const { message, mail_id, recipient, recipient_name } = mail;
  const subject = message.envelope.subject;
  const html = message.html?.toString() ?? '';
  const text = message.text?.toString() ?? null;
  if (message.content_kind !== 'liquid') return { subject, html, text };
  const rendered = renderContent(
    { subject, html, text },
    {
      recipient: { email: recipient, name: recipient_name ?? '' },
      unsubscribe_url: `${base_url}/u/${tokens.make('unsubscribe', mail_id)}`,
      view_url: `${base_url}/view/${tokens.make('view', mail_id)}`,
    },
  );
  return { subject: rendered.subject ?? '', html: rendered.html ?? '', text: rendered.text };
}

/** A submitted message goes out as it came in; only what every message must have is added where it lacks. */
function splitRaw(message: StoredMessage, received_at: Date): BuiltMessage {
  const given = message.raw ?? Buffer.alloc(0);
  const found = readHeaderBlock(given);
  // A broadcast has one way out, the one that is honoured: two fields of that name are read as none.
  const isOurs = ({ name }: HeaderField): boolean => message.stream === 'broadcast' && wayOut.has(name);
  const raw = found?.fields.some(isOurs) ? removeFields(given, found, isOurs) : given;
  const block = raw === given ? found : readHeaderBlock(raw);
  const names = new Set(block?.fields.map(({ name }) => name));
  const missing = [
    names.has('date') ? '' : `Date: ${received_at.toUTCString().replace('GMT', '+0000')}\r\n`,
    names.has('message-id') ? '' : `Message-ID: <${message.msg_id}@${message.domain}>\r\n`,
  ].join('');
  const bodyStart = block?.body_start ?? raw.length;
  // A message without a body may lack the blank line, and the last line its end.
  const headerEnd = Math.min(raw.length, block?.fields.at(-1)?.end ?? 0);
  const header = [raw.subarray(0, headerEnd), endsLine(raw, headerEnd) ? '' : '\r\n'];
  const body = raw.subarray(bodyStart);
  return {
    header: Buffer.concat([missing, ...header].map((part) => Buffer.from(part))),
    body,
    body_hash: hashBody(body),
  };
}

const wayOut: ReadonlySet<string> = new Set(['list-unsubscribe', 'list-unsubscribe-post']);

function endsLine(bytes: Buffer, at: number): boolean {
  return at === 0 || bytes.toString('latin1', at - 2, at) === '\r\n';
}

/** What differs from recipient to recipient: the trace, and for broadcast the way out (RFC 8058). */
function personalHeader({ tokens, base_url, hostname }: BuildContext, mail: DueMail): string {
  const { mail_id, message, received_at } = mail;
  const date = received_at.toUTCString().replace('GMT', '+0000');
  const protocol = message.source === 'smtp' ? 'ESMTPSA' : 'HTTP';
  const lines = [
    `Received: by ${hostname} with ${protocol} id ${mail_id};\r\n\t${date}\r\n`,
    foldHeader('X-Report-Abuse', `<${base_url}/report/${tokens.make('report', mail_id)}>`),
  ];
  if (message.stream === 'broadcast') {
    lines.push(
      foldHeader('List-Unsubscribe', `<${base_url}/u/${tokens.make('unsubscribe', mail_id)}>`),
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n',
    );
  }
  return lines.join('');
}
