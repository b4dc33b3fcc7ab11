import { Problem } from '../base/errors/problem.ts';
import type { NewMail, NewMessage, StoredContent } from '../mails/index.ts';
import { plainTextOf } from '../protocol/html/plain-text.ts';
import { measureMessage } from '../protocol/mime/measure-message.ts';
import { type SendableTemplate, writeVariables } from '../templates/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Drops } from './decide-drops.ts';
import type { Draft } from './draft.ts';
import { requireVariables, variablesOf } from './draft-variables.ts';
import { envelopeOf, type Addressing } from './envelope.ts';
import { renderSubjects } from './render-subjects.ts';
import { sendLimits } from './send-schema.ts';

interface Composing extends Addressing {
  drops: Drops;
}

/** Reserved within the 15 MiB for headers added at delivery: signature, trace, unsubscribe. */
const platformHeaderBytes = 4 * 1024;

/** The rows to store, with identifiers and measured size. */
export async function composeMessage(context: AcceptContext, composing: Composing): Promise<NewMessage> {
  const { draft, sender, template, drops } = composing;
  const received_at = context.clock.now();
  const msg_id = context.ids.next(received_at);
  const content = contentOf(composing);
  const variables = variablesOf(draft);
  const stored = writeVariables(variables);
  if (template) await requireVariables(context, { draft, template, variables });
  const { subject } = content.envelope;
  const isWritten = content.content_kind !== 'liquid' || !subject.includes('{');
  const subjects = isWritten ? [] : await renderSubjects(context, { draft, subject, variables });
  const content_bytes = measure(draft, content, { msg_id, received_at });
  if (content_bytes > sendLimits.message_bytes) {
    throw new Problem('request_too_large', {
      detail: `The assembled message has ${content_bytes} bytes; the maximum is ${sendLimits.message_bytes}.`,
    });
  }
  return {
    msg_id,
    instance_id: draft.instance_id,
    sender_id: sender.id,
    sender_email: sender.email_address,
    category_id:
      draft.category === null ? null : await context.categories.idOf(draft.instance_id, draft.category),
    template_id: template?.id ?? null,
    source: draft.source,
    stream: sender.stream,
    test_mode: draft.test_mode,
    custom_msg_id: draft.custom_msg_id,
    custom_group_code: draft.custom_group_code,
    tags: draft.tags ?? null,
    size_bytes: content_bytes + (stored?.length ?? 0),
    personal_bytes: Buffer.byteLength(JSON.stringify(variables.by_recipient)),
    ...content,
    variables: stored,
    attachments: draft.kind === 'raw' ? [] : draft.attachments,
    received_at,
    consent_purpose_id: draft.consent_purpose_id ?? null,
    schedule_at: draft.schedule_at ?? null,
    mails: draft.recipients.map((recipient, index): NewMail => ({
      mail_id: context.ids.next(received_at),
      recipient: recipient.address,
      recipient_name: recipient.name ?? null,
      recipient_kind: recipient.kind,
      destination: recipient.domain,
      subject: subjects[index] ?? subject,
      drop_reason: drops.get(recipient.address.toLowerCase()) ?? null,
    })),
  };
}

type Content = Omit<StoredContent, 'variables'>;

function contentOf(composing: Composing): Content {
  const { draft, template } = composing;
  const envelope = envelopeOf(composing);
  if (draft.kind === 'raw') {
    return { content_kind: 'raw', envelope, html: null, text: null, raw: draft.raw };
  }
  // The template is copied now and rendered per recipient at delivery, so that later edits do not change accepted
  // mail.
  if (draft.kind === 'template') {
    return { content_kind: 'liquid', envelope, ...encoded(template), raw: null };
  }
  return { content_kind: 'parts', envelope, html: bytes(draft.html), text: bytes(draft.text), raw: null };
}

interface EncodedTemplate {
  html: Buffer | null;
  text: Buffer | null;
}
const encodedTemplates = new WeakMap<SendableTemplate, EncodedTemplate>();

/** Once for all mails of a batch, which may be hundreds: the cache gives them the same object. */
function encoded(template: SendableTemplate | undefined): EncodedTemplate {
  if (!template) return { html: null, text: null };
  const known = encodedTemplates.get(template);
  if (known) return known;
  const made = { html: bytes(template.html), text: bytes(template.text) };
  encodedTemplates.set(template, made);
  return made;
}

function bytes(text: string | null | undefined): Buffer | null {
  return text ? Buffer.from(text) : null;
}

/** Far below the maximum an estimate is enough; measuring took a tenth of the time of a small send. */
const estimatedBelow = 1024 * 1024;

/**
 * Octets on the wire: an estimate for small messages, exact for large ones. Text derived from the HTML is no longer
 * than the HTML, so it is derived here only when the message would not fit otherwise.
 */
function measure(
  draft: Draft,
  { envelope, html, text, raw }: Content,
  { msg_id, received_at }: { msg_id: string; received_at: Date },
): number {
  if (raw) return raw.length + platformHeaderBytes;
  const attachments = draft.kind === 'raw' ? [] : draft.attachments;
  const estimate = estimateOctets(html, text, attachments);
  if (estimate < estimatedBelow) return estimate;
  const htmlText = html?.toString() ?? '';
  const message = {
    ...envelope,
    reply_to: [envelope.reply_to ?? []].flat(),
    message_id: `${msg_id}@${envelope.from.address.split('@')[1]}`,
    date: received_at,
    attachments,
  };
  const withText = (plain: string): number =>
    platformHeaderBytes + measureMessage({ ...message, html: [htmlText], text: [plain] }, 0);
  const bound = withText(text?.toString() ?? htmlText);
  return text || bound <= sendLimits.message_bytes ? bound : withText(plainTextOf(htmlText));
}

/** As if everything were ASCII; no encoding makes a message more than three times as long. */
function estimateOctets(
  html: Buffer | null,
  text: Buffer | null,
  attachments: { content: Buffer }[],
): number {
  const files = attachments.reduce((sum, { content }) => sum + Math.ceil(content.length * 1.37), 0);
  const htmlBytes = html?.length ?? 0;
  return platformHeaderBytes + htmlBytes + (text?.length ?? htmlBytes) + files;
}
