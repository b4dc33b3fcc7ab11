import { validationProblem, type Violation } from '../base/errors/problem.ts';
import { escapePointer } from '../base/http/violations.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { Attachment } from '../protocol/mime/outgoing-message.ts';
import { categorySlug, readSchedule } from '../mails/index.ts';
import type { Draft, TemplateName } from './draft.ts';
import { readRawSendBody, type RawSendBody } from './raw-send-body.ts';
import { validateHeaders } from './validate-headers.ts';
import { readAttachments } from './read-attachments.ts';
import {
  hasControls,
  invalidEmail,
  isPlainName,
  noControls,
  readMailbox,
  readRecipients,
} from './recipients.ts';
import { validateSendVariables } from './validate-variables.ts';
import { sendLimits, type SendMail } from './send-schema.ts';

/** What a schedule is held to. */
interface Times {
  now: Date;
  retention_months: number;
  /** Takes mail without HTML, as other services do. */
  text_alone?: true | undefined;
}

export interface Sent extends Times {
  body: SendMail;
  /** Files of a multipart form, decoded. */
  files: Attachment[];
  instance_id: number;
  sandbox_only?: boolean;
  traceparent?: string | undefined;
}

/** Builds a draft from a body that passed its schema; throws all violations at once. */
export function readSend(sent: Sent): Draft {
  const { body, files, instance_id, sandbox_only = false, traceparent } = sent;
  const given = readRawSendBody(body);
  const known = read(given, files, sent);
  const { sender_email, recipients, reply_to, attachments, category, schedule_at, violations } = known;
  if (violations.length > 0 || sender_email === undefined) throw validationProblem(violations);
  const common = {
    instance_id,
    source: 'http',
    sandbox_only,
    traceparent,
    sender_email,
    recipients,
    recipients_visible: body.recipients_visible ?? undefined,
    tracking: body.tracking ?? undefined,
    reply_token: body.reply_token,
    category: category ?? null,
    test_mode: body.test_mode ?? false,
    custom_msg_id: body.custom_msg_id ?? null,
    custom_group_code: body.custom_group_code ?? null,
    tags: given.tags && !isEmpty(given.tags) ? given.tags : null,
    sender_name: given.sender_name,
    reply_to,
    schedule_at,
    headers: Object.entries(given.headers),
    attachments,
  } as const;
  const { subject = '', html = '', text = null } = given;
  const template = templateOf(given);
  return template === undefined
    ? { ...common, kind: 'content', subject, html, text }
    : {
        ...common,
        kind: 'template',
        template,
        template_variables: given.template_variables ?? {},
        strict_variables: given.strict_variables,
      };
}

/** Violations beyond the schema, for a body that the schema refuses. */
export function validateSend(body: unknown, files: Attachment[], times: Times): Violation[] {
  // The schema reports a body that is not an object; nothing else can be checked.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return read(readRawSendBody(body), files, times).violations;
}

function read(given: RawSendBody, files: Attachment[], times: Times) {
  const violations: Violation[] = [];
  const sender = given.sender_email === undefined ? undefined : canonicalAddress(given.sender_email);
  if (given.sender_email !== undefined && !sender) violations.push(invalidEmail('/sender_email'));
  const { recipients, violations: aboutRecipients } = readRecipients(given);
  violations.push(
    ...aboutRecipients,
    ...validateContent(given, times),
    ...validateSendVariables(given),
    ...validateHeaders(given.headers),
  );
  const reply_to: { address: string; name: string | undefined }[] = [];
  for (const { pointer, mailbox } of given.reply_to) {
    const known = readMailbox(mailbox, pointer, violations);
    if (known) reply_to.push({ address: known.address, name: known.name });
  }
  if (given.reply_token && given.reply_to.length > 0) violations.push(twoReplyTo);
  if (given.sender_name && !isPlainName(given.sender_name)) violations.push(noControls('/sender_name'));
  if (given.tags) violations.push(...validateTags(given.tags));
  const { attachments, violations: aboutAttachments } = readAttachments(given.attachments, files);
  violations.push(...aboutAttachments);
  const category = given.category === undefined ? undefined : categorySlug(given.category);
  if (given.category !== undefined && category === undefined) {
    const message = 'A category needs at least one letter or digit';
    violations.push({ pointer: '/category', code: 'value_error.category', message });
  }
  const scheduled = given.schedule_at === undefined ? undefined : readSchedule(given.schedule_at, times);
  violations.push(...(scheduled?.violations ?? []));
  const schedule_at = scheduled?.schedule_at ?? null;
  return {
    sender_email: sender?.address,
    recipients,
    reply_to,
    attachments,
    category,
    schedule_at,
    violations,
  };
}

const twoReplyTo: Violation = {
  pointer: '/reply_token',
  code: 'value_error.reply_token',
  message: 'A mail has one Reply-To: leave out reply_to or reply_token',
};

function validateTags(tags: Record<string, string>): Violation[] {
  const written = Object.entries(tags).filter(([, value]) => hasControls(value));
  return written.map(([name]) => noControls(`/tags/${escapePointer(name)}`));
}

const twoTemplates: Violation = {
  pointer: '/template_alias',
  code: 'value_error.two_templates',
  message: 'template_id and template_alias name a template each; give one of them',
};

/** The schema limits both; what is not one of them is refused anyway. */
function templateOf({ template_id, template_alias }: RawSendBody): TemplateName | undefined {
  if (template_id !== undefined) return { id: template_id };
  return template_alias === undefined ? undefined : { alias: template_alias };
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0;
}

function validateContent(given: RawSendBody, { text_alone }: Times): Violation[] {
  if (templateOf(given)) {
    const both = given.template_id !== undefined && given.template_alias !== undefined;
    const fields = (['subject', 'html', 'text'] as const)
      .filter((field) => given[field] !== undefined)
      .map((field) => ({
        pointer: `/${field}`,
        code: 'value_error.template_content',
        message: `${field} comes from the template and must be left out`,
      }));
    return both ? [twoTemplates, ...fields] : fields;
  }
  const violations: Violation[] = [];
  for (const field of ['subject', 'html'] as const) {
    if (given[field] !== undefined) continue;
    if (field === 'html' && text_alone && given.text !== undefined) continue;
    const message = `${field} is required without a template`;
    violations.push({ pointer: `/${field}`, code: 'missing', message });
  }
  for (const field of ['html', 'text'] as const) {
    if (!isLongerThan(given[field] ?? '', sendLimits.content_bytes)) continue;
    violations.push({
      pointer: `/${field}`,
      code: 'string_too_long',
      message: `${field} should have at most ${sendLimits.content_bytes} bytes in UTF-8`,
      params: { max_bytes: sendLimits.content_bytes },
    });
  }
  if (hasControls(given.subject ?? '')) violations.push(noControls('/subject'));
  return violations;
}

/** A UTF-16 code unit takes at most three bytes in UTF-8, so short texts need no measuring. */
function isLongerThan(text: string, bytes: number): boolean {
  return 3 * text.length > bytes && Buffer.byteLength(text) > bytes;
}
