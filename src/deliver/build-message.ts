import type { Queryable } from '../base/db/database.ts';
import { yieldForLargeWork } from '../base/yield-large-work.ts';
import type { MailTokens } from '../mails/index.ts';
import { plainTextOf } from '../protocol/html/plain-text.ts';
import { hashBody } from '../protocol/dkim/hash-body.ts';
import { composeMessage, type ComposedMessage } from '../protocol/mime/compose-message.ts';
import { foldHeader } from '../protocol/mime/fold-header.ts';
import { readHeaderBlock } from '../protocol/mime/header-block.ts';
import { slottedBody } from '../protocol/mime/slot-values.ts';
import type { Attachment, SlottedText } from '../protocol/mime/outgoing-message.ts';
import {
  dataFor,
  readVariables,
  type MessageVariables,
  type TemplateContent,
  type TemplateRenderer,
} from '../templates/index.ts';
import { PersonalContent, type TrackingTokens } from '../track/index.ts';
import { loadAttachments, loadContent, sendingTime, type DueMail } from './load-batch.ts';
import type { StoredMessage } from './stored-message.ts';
import { hidesOthers, ownRecipientField, sharedRecipients, withoutDropped } from './named-recipients.ts';
import { mayHaveHtml, openHtmlPart } from './open-html-part.ts';
import { splitRaw } from './raw-message.ts';
import { withUnsubscribeLink } from './unsubscribe-footer.ts';

/** The body for one recipient, and the hash that its signature covers. */
interface Body {
  body: readonly Buffer[];
  body_hash: string;
}

/** The part of a message that its recipients share. */
interface BuiltMessage {
  header: Buffer;
  bodyFor(mailId: string): Body;
}

export interface BuildContext {
  db: Queryable;
  tokens: MailTokens;
  tracking: TrackingTokens;
  renderer: Pick<TemplateRenderer, 'render'>;
  base_url: string;
  /** Name of this server in the Received field. */
  hostname: string;
}

/** The message for one recipient, before it is signed. */
export interface PersonalMessage extends Body {
  mail_from: string;
  header: Buffer;
}

/** Shared by the recipients of a message that are being delivered at the same time. */
interface Prepared {
  content: TemplateContent;
  variables: MessageVariables;
  attachments: Attachment[];
  /** Absent for templates, which differ per recipient. */
  built?: BuiltMessage;
}

/**
 * Kept with the message: values of a WeakMap outlive young collections, with every buffer that they refer to (8 % of what was
 * allocated).
 */
interface PreparedMessage extends StoredMessage {
  prepared?: Promise<Prepared>;
}

/** Larger messages are built one per event-loop iteration: with thousands of links each takes tens of milliseconds. */
const yieldAboveBytes = 32 * 1024;

/** Messages are built once and personalised per recipient. */
export function createMessageBuilder(context: BuildContext): (mail: DueMail) => Promise<PersonalMessage> {
  return async (mail) => {
    const { mail_id } = mail;
    const message: PreparedMessage = mail.message;
    const prepared = await (message.prepared ??= prepare(context, message));
    const content = isTemplate(message) ? await fill(context, mail, prepared) : prepared.content;
    const isLarge = message.size_bytes > yieldAboveBytes;
    if (isLarge) await yieldForLargeWork();
    let { built } = prepared;
    if (!built) {
      built = build(context, mail, { content, attachments: prepared.attachments });
      if (!isTemplate(message)) keepBuilt(message, prepared, built);
      if (isLarge) await yieldForLargeWork();
    }
    return {
      mail_from: `bounce-${context.tokens.make('bounce', mail_id)}@${message.domain}`,
      header: Buffer.concat([Buffer.from(personalHeader(context, mail)), built.header]),
      ...built.bodyFor(mail_id),
    };
  };
}

/** Frees what it was built from. */
function keepBuilt(message: StoredMessage, prepared: Prepared, built: BuiltMessage): void {
  prepared.built = built;
  prepared.attachments = [];
  message.attachments = undefined;
}

function isTemplate({ content_kind }: StoredMessage): boolean {
  return content_kind === 'liquid';
}

async function prepare({ db }: BuildContext, message: StoredMessage): Promise<Prepared> {
  if (message.is_content_left_out) {
    Object.assign(message, await loadContent(db, message.msg_id), { is_content_left_out: false });
  }
  return {
    content: {
      subject: message.envelope.subject,
      html: message.html?.toString() ?? null,
      text: message.text?.toString() ?? null,
    },
    variables: readVariables(message.variables),
    attachments: message.raw ? [] : (message.attachments ?? (await loadAttachments(db, message.msg_id))),
  };
}

function build(
  context: BuildContext,
  mail: DueMail,
  { content, attachments }: { content: TemplateContent; attachments: Attachment[] },
): BuiltMessage {
  const { message } = mail;
  if (message.raw) return buildRaw(context, mail, withoutDropped(mail, message.raw));
  const { subject, html, text } = content;
  const personal = new PersonalContent({ ...context, instance_id: message.instance_id });
  const switches = { ...tracked(message), fill_placeholders: !isTemplate(message) };
  const composed = composeMessage({
    ...message.envelope,
    to: undefined,
    cc: undefined,
    ...sharedRecipients(mail),
    reply_to: [message.envelope.reply_to ?? []].flat(),
    subject: subject ?? '',
    message_id: `${message.msg_id}@${message.domain}`,
    date: sendingTime(mail),
    html: html === null ? undefined : personal.html(html, switches),
    text: personal.text(text ?? plainTextOf(html ?? ''), switches),
    attachments,
  });
  const { header, has_slots, render } = composed;
  return { header, bodyFor: has_slots ? filled(render, personal) : shared(render(String)) };
}

/** What the sender tracks, less what the send switched off. */
function tracked({ track_opens, track_clicks, envelope: { untracked = [] } }: StoredMessage) {
  return {
    track_opens: track_opens && !untracked.includes('opens'),
    track_clicks: track_clicks && !untracked.includes('clicks'),
  };
}

/** A submitted message, with tracking where its HTML can be rewritten. */
function buildRaw(context: BuildContext, mail: DueMail, raw: Buffer): BuiltMessage {
  const { message } = mail;
  const switches = tracked(message);
  let personal: PersonalContent | undefined;
  const rewrite = (html: string): SlottedText => {
    personal = new PersonalContent({ ...context, instance_id: message.instance_id });
    return personal.html(html, { ...switches, fill_placeholders: false });
  };
  const found = readHeaderBlock(raw);
  const isTracked = (switches.track_opens || switches.track_clicks) && mayHaveHtml(found);
  const opened = isTracked ? openHtmlPart(raw, rewrite) : undefined;
  const { header, body } = opened
    ? splitRaw(opened.raw, readHeaderBlock(opened.raw), mail)
    : splitRaw(raw, found, mail);
  if (!opened || !personal) return { header, bodyFor: shared([body]) };
  const gap = body.length - opened.from_end;
  const render = slottedBody([body.subarray(0, gap), ...opened.content, body.subarray(gap)]);
  return { header, bodyFor: filled(render, personal) };
}

/** One body per recipient. */
function filled(render: ComposedMessage['render'], personal: PersonalContent): BuiltMessage['bodyFor'] {
  return (mailId) => {
    const body = render(personal.valuesFor(mailId));
    return { body, body_hash: hashBody(body) };
  };
}

/** One body for all recipients, hashed once. */
function shared(body: Buffer[]): BuiltMessage['bodyFor'] {
  const whole = { body, body_hash: hashBody(body) };
  return () => whole;
}

/** Renders a template for one recipient. */
async function fill(
  { tokens, base_url, renderer }: BuildContext,
  { mail_id, instance_id, message, recipient: email, recipient_name: name }: DueMail,
  { content, variables }: Prepared,
): Promise<TemplateContent> {
  const urls = {
    unsubscribe_url: `${base_url}/u/${tokens.make('unsubscribe', mail_id)}`,
    view_url: `${base_url}/view/${tokens.make('view', mail_id)}`,
  };
  const data = dataFor({ email, name }, variables, urls);
  const rendered = await renderer.render(instance_id, content, data);
  return message.stream === 'broadcast' ? withUnsubscribeLink(rendered, urls.unsubscribe_url) : rendered;
}

/** Header fields that differ per recipient: the trace, To where recipients do not see each other, List-Unsubscribe (RFC 8058). */
function personalHeader({ tokens, base_url, hostname }: BuildContext, mail: DueMail): string {
  const { mail_id, message } = mail;
  const date = sendingTime(mail).toUTCString().replace('GMT', '+0000');
  const protocol = message.source === 'smtp' ? 'ESMTPSA' : 'HTTP';
  const lines = [
    `Received: by ${hostname} with ${protocol} id ${mail_id};\r\n\t${date}\r\n`,
    foldHeader('X-Report-Abuse', `<${base_url}/report/${tokens.make('report', mail_id)}>`),
  ];
  if (hidesOthers(mail)) lines.push(ownRecipientField(mail));
  if (message.envelope.reply_token)
    lines.push(foldHeader('Reply-To', `<reply+${tokens.make('reply', mail_id)}@${message.domain}>`));
  if (message.stream === 'broadcast') {
    const token = tokens.make('unsubscribe', mail_id);
    // One-click uses the URL; clients without it send mail to the address, which `inbound/` handles.
    const targets = [
      `<${base_url}/u/${token}>`,
      `<mailto:unsubscribe-${token}@${message.domain}?subject=unsubscribe>`,
    ];
    lines.push(
      foldHeader('List-Unsubscribe', targets.join(', ')),
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n',
    );
  }
  return lines.join('');
}
