import { Problem, validationProblem } from '../base/errors/problem.ts';
import { parseJson } from '../base/http/parse-json.ts';
import { findUnsafeText } from '../base/http/text-safety.ts';
import { partBytes } from '../protocol/mime/decode-part.ts';
import { isReservedHeader } from '../protocol/mime/custom-headers.ts';
import type { HeaderBlock } from '../protocol/mime/header-block.ts';
import type { Attachment, Mailbox } from '../protocol/mime/outgoing-message.ts';
import { fieldOf } from '../protocol/mime/read-fields.ts';
import { filenameOf } from '../protocol/mime/parse-message.ts';
import { readParts, type Part } from '../protocol/mime/read-parts.ts';
import { isTemplateAlias, validateVariables, variableLimits, type Variables } from '../templates/index.ts';
import { isContentId } from '../protocol/mime/attachment-part.ts';
import type { Draft, TemplateName } from './draft.ts';
import { malformed, readText, textOf } from './header-text.ts';
import { readAttachments } from './read-attachments.ts';
import { hasControls } from './recipients.ts';
import { sendLimits } from './send-schema.ts';
import { validateHeaders } from './validate-headers.ts';

type TemplateDraft = Extract<Draft, { kind: 'template' }>;

type OfTemplate = Pick<TemplateDraft, 'template' | 'template_variables' | 'strict_variables'>;

/** The template that a submitted message names in place of its own subject and text. */
export function readTemplateOptions(
  header: HeaderBlock,
  isStrict: boolean | undefined,
): OfTemplate | undefined {
  const template = nameOf(header);
  const json = readText(header, 'x-chq-template-variables', variableLimits.bytes);
  if (!template) {
    if (json !== '' || isStrict !== undefined) throw malformed('Variables need X-Chq-Template-Alias.');
    return undefined;
  }
  return {
    template,
    template_variables: json === '' ? {} : variablesOf(json),
    strict_variables: isStrict ?? false,
  };
}

function nameOf(header: HeaderBlock): TemplateName | undefined {
  const alias = readText(header, 'x-chq-template-alias', 64);
  const id = readText(header, 'x-chq-template-id', 20);
  if (alias !== '' && id !== '')
    throw malformed('X-Chq-Template-Alias and X-Chq-Template-Id name a template each.');
  if (alias !== '') {
    if (!isTemplateAlias(alias)) throw new Problem('mail_template_not_found');
    return { alias };
  }
  if (id === '') return undefined;
  if (!/^[1-9]\d{0,14}$/.test(id)) throw malformed('X-Chq-Template-Id is a number.');
  return { id: Number(id) };
}

function variablesOf(json: string): Variables {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('X-Chq-Template-Variables is a JSON object.');
  }
  const violations = findUnsafeText(value);
  if (violations.length === 0)
    violations.push(...validateVariables('/template_variables', value as Variables));
  if (violations.length > 0) throw validationProblem(violations);
  return value as Variables;
}

/** What such a message still gives: where replies go, headers of its own, and files. */
export function partsForTemplate(
  header: HeaderBlock,
  { raw, reply_to }: { raw: Buffer; reply_to: Mailbox[] },
): Pick<TemplateDraft, 'reply_to' | 'headers' | 'attachments'> {
  if (reply_to.length > sendLimits.reply_to) {
    throw malformed(`Reply-To has more than ${sendLimits.reply_to} addresses.`);
  }
  return { reply_to, headers: headersOf(raw, header), attachments: attachmentsOf(raw) };
}

/** Added by programs that pass mail on, about the message that is not sent. */
const aboutTransport =
  /^(?:arc-|authentication-results$|received-spf$|user-agent$|x-originating-ip$|x-received$)/;

const longestValue = 995;

function headersOf(raw: Buffer, { fields }: HeaderBlock): [name: string, value: string][] {
  const headers = new Map<string, string>();
  for (const field of fields) {
    if (isReservedHeader(field.name) || aboutTransport.test(field.name)) continue;
    const name = raw.toString('latin1', field.start, field.start + field.name.length);
    if ([...headers.keys()].some((each) => each.toLowerCase() === field.name)) {
      throw malformed(`The message has ${field.name.slice(0, 80)} twice.`);
    }
    headers.set(name, textOf(field, longestValue));
  }
  const violations = validateHeaders(Object.fromEntries(headers));
  if (violations.length > 0) throw validationProblem(violations);
  return [...headers];
}

function attachmentsOf(raw: Buffer): Attachment[] {
  const { parts } = readParts(raw);
  if (parts.some(({ is_sealed }) => is_sealed)) {
    throw malformed('A signed or encrypted message cannot take its content from a template.');
  }
  const files = parts.filter((part) => !isText(part)).slice(0, sendLimits.attachments + 1);
  const { attachments, violations } = readAttachments([], files.map(attachmentOf));
  if (violations.length > 0) throw validationProblem(violations);
  return attachments;
}

/** What the template replaces. */
function isText({ type, fields }: Part): boolean {
  if (type !== 'text/plain' && type !== 'text/html') return false;
  return !/^attachment\b/i.test(fieldOf(fields, 'content-disposition') ?? '');
}

function attachmentOf(part: Part): Attachment {
  const id = fieldOf(part.fields, 'content-id')?.trim().replace(/^<|>$/g, '') ?? '';
  const isInline = /^inline\b/i.test(fieldOf(part.fields, 'content-disposition') ?? '');
  const filename = filenameOf(part) ?? '';
  return {
    type: part.type,
    filename:
      filename === '' || hasControls(filename) ? 'attachment' : filename.slice(0, sendLimits.filename),
    content: partBytes(part),
    content_id: isContentId(id) ? id : null,
    disposition: isInline || part.is_related ? 'inline' : 'attachment',
  };
}
