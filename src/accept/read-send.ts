import { validationProblem, type Violation } from '../base/errors/problem.ts';
import { escapePointer } from '../base/http/violations.ts';
import type { Attachment } from '../protocol/mime/outgoing-message.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { checkCustomHeaders, type HeaderViolation } from '../protocol/mime/custom-headers.ts';
import { isMediaType } from '../protocol/mime/media-type.ts';
import { decodeBase64 } from './base64.ts';
import { categorySlug } from './category.ts';
import type { Draft } from './draft.ts';
import { hasControls, invalidEmail, noControls, readMailbox, readRecipients } from './recipients.ts';
import { sendLimits, type SendMail } from './send-schema.ts';

interface Given {
  body: SendMail;
  /** Files of a multipart form: their content is there already. */
  files: Attachment[];
  instance_id: number;
}

/** The body of a send as a draft; everything wrong with it is told at once. Its schema has been checked already. */
export function readSend({ body, files, instance_id }: Given): Draft {
  const violations: Violation[] = [];
  const sender = canonicalAddress(body.sender_email);
  if (!sender) violations.push(invalidEmail('/sender_email'));
  const { recipients, violations: wrongRecipients } = readRecipients(body as never);
  violations.push(...wrongRecipients, ...judgeContent(body), ...judgeHeaders(body.headers ?? {}));
  const reply_to = body.reply_to ? (readMailbox(body.reply_to, '/reply_to', violations) ?? null) : null;
  const attachments = [...readAttachments(body, violations), ...files];
  violations.push(...judgeAttachments(attachments));
  const category = body.category ? categorySlug(body.category) : null;
  if (category === undefined) {
    const message = 'A category needs at least one letter or digit';
    violations.push({ pointer: '/category', code: 'value_error.category', message });
  }
  if (violations.length > 0 || !sender) throw validationProblem(violations);
  const common = {
    instance_id,
    source: 'http',
    sender_email: sender.address,
    recipients,
    category: category ?? null,
    test_mode: body.test_mode ?? false,
    custom_msg_id: body.custom_msg_id ?? null,
    custom_group_code: body.custom_group_code ?? null,
    reply_to,
    headers: Object.entries(body.headers ?? {}),
    attachments,
  } as const;
  if (typeof body.template_id === 'number')
    return { ...common, kind: 'template', template_id: body.template_id };
  return {
    ...common,
    kind: 'content',
    subject: body.subject ?? '',
    html: body.html ?? '',
    text: body.text ?? null,
  };
}

const contentFields = ['subject', 'html', 'text'] as const;

function judgeContent(body: SendMail): Violation[] {
  if (typeof body.template_id === 'number') {
    return contentFields
      .filter((field) => typeof body[field] === 'string')
      .map((field) => ({
        pointer: `/${field}`,
        code: 'value_error.template_content',
        message: `${field} comes from the template and must be left out`,
      }));
  }
  const violations: Violation[] = [];
  for (const field of ['subject', 'html'] as const) {
    if (typeof body[field] === 'string') continue;
    violations.push({
      pointer: `/${field}`,
      code: 'missing',
      message: `${field} is required without template_id`,
    });
  }
  for (const field of ['html', 'text'] as const) {
    if (Buffer.byteLength(body[field] ?? '') <= sendLimits.content_bytes) continue;
    violations.push({
      pointer: `/${field}`,
      code: 'string_too_long',
      message: `${field} should have at most ${sendLimits.content_bytes} bytes in UTF-8`,
      params: { max_bytes: sendLimits.content_bytes },
    });
  }
  if (body.subject && hasControls(body.subject)) violations.push(noControls('/subject'));
  return violations;
}

const headerRules: Record<HeaderViolation['rule'], { code: string; message: string }> = {
  too_many: { code: 'too_long', message: 'A mail has at most 15 custom headers' },
  name_invalid: {
    code: 'string_pattern_mismatch',
    message: 'A header name has printable ASCII characters only, and no colon',
  },
  name_too_long: { code: 'string_too_long', message: 'A header name has at most 126 characters' },
  value_too_long: { code: 'string_too_long', message: 'A header value has at most 995 characters' },
  total_too_long: {
    code: 'string_too_long',
    message: 'Name and value of a header have at most 996 characters together',
  },
  value_invalid: {
    code: 'value_error.control_character',
    message: 'Line breaks and control characters are not allowed in a header',
  },
  reserved: { code: 'value_error.reserved_header', message: 'This header is written by the service' },
};

function judgeHeaders(headers: Record<string, string>): Violation[] {
  return checkCustomHeaders(headers).map(({ name, rule, use_instead }) => {
    const { code, message } = headerRules[rule];
    return {
      pointer: rule === 'too_many' ? '/headers' : `/headers/${escapePointer(name)}`,
      code,
      message: use_instead ? `${message}; use ${use_instead} instead` : message,
      ...(rule === 'reserved' ? { params: { header: name } } : {}),
    };
  });
}

function readAttachments(body: SendMail, violations: Violation[]): Attachment[] {
  return (body.attachments ?? []).map(({ type, content, filename }, index) => {
    const decoded = decodeBase64(content);
    if (!decoded) {
      const message = 'The content of an attachment is strict base64';
      violations.push({ pointer: `/attachments/${index}/content`, code: 'value_error.base64', message });
    }
    return { type, filename, content: decoded ?? Buffer.alloc(0) };
  });
}

function judgeAttachments(attachments: Attachment[]): Violation[] {
  const violations: Violation[] = [];
  for (const [index, { type, filename }] of attachments.entries()) {
    if (!isMediaType(type)) {
      const message = 'The type of an attachment has the form type/subtype';
      violations.push({ pointer: `/attachments/${index}/type`, code: 'value_error.media_type', message });
    }
    if (filename === '') {
      const message = 'An attachment needs a filename';
      violations.push({ pointer: `/attachments/${index}/filename`, code: 'string_too_short', message });
    }
    if (hasControls(filename)) violations.push(noControls(`/attachments/${index}/filename`));
  }
  if (attachments.length > sendLimits.attachments) {
    violations.push({
      pointer: '/attachments',
      code: 'too_long',
      message: `List should have at most ${sendLimits.attachments} items`,
      params: { max_length: sendLimits.attachments, actual_length: attachments.length },
    });
  }
  const total = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (total > sendLimits.attachment_bytes) {
    violations.push({
      pointer: '/attachments',
      code: 'value_error.too_large',
      message: `Attachments should have at most ${sendLimits.attachment_bytes} bytes decoded in all`,
      params: { max_bytes: sendLimits.attachment_bytes, actual_bytes: total },
    });
  }
  return violations;
}
