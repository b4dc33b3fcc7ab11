import type { SendMail } from '../../accept/index.ts';
import { type Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import { compileValidator, type Validate } from '../../base/http/validation.ts';
import { escapePointer } from '../../base/http/violations.ts';
import { dropEmptyLists } from '../empty-maps.ts';
import { mediaTypeOf } from '../media-type-of.ts';
import { type NamedAddress, readMailbox } from '../read-mailbox.ts';
import type { MappedMail } from '../send-mails.ts';
import { templateOf } from '../template-of.ts';
import { present } from '../present.ts';
import { isWritten } from '../written-headers.ts';
import { ResendEmail } from './email-schema.ts';
import { readScheduledAt } from './scheduled-at.ts';

interface Mapping {
  now: Date;
  /** Attachments are not for batches. */
  in_batch: boolean;
}

let validate: Validate | undefined;

/** A mail as Resend takes it, as a send of ours; a problem with pointers into Resend’s form. */
export function mapEmail(given: unknown, { now, in_batch }: Mapping): MappedMail | Problem {
  validate ??= compileValidator(ResendEmail);
  dropEmptyLists(given, ['headers']);
  dropEmptyLists((given as { template?: unknown } | null | undefined)?.template, ['variables']);
  const violations = validate(given);
  if (violations.length > 0) return validationProblem(violations);
  const email = given as ResendEmail;
  const from = readFrom(email, violations);
  const reply_to = readList(email, 'reply_to', violations);
  const schedule_at = readScheduledAt(email.scheduled_at ?? undefined, now, violations);
  violations.push(...refusals(email, in_batch));
  const tags = readTags(email.tags ?? [], violations);
  const content = { subject: email.subject, html: email.html || undefined, text: email.text || undefined };
  const mail = {
    sender_email: from?.email ?? '',
    sender_name: from?.name,
    to: readList(email, 'to', violations) ?? [],
    cc: readList(email, 'cc', violations),
    bcc: readList(email, 'bcc', violations),
    reply_to,
    ...(email.template
      ? {
          ...present({ ...content, subject: email.subject || undefined }),
          ...templateOf(email.template.id, email.template.variables ?? undefined),
        }
      : content),
    headers: readHeaders(email, reply_to),
    attachments: email.attachments?.map(attachmentOf),
    schedule_at,
    tags,
  };
  const purpose = readTopic(email, violations);
  if (violations.length > 0) return validationProblem(violations);
  return { mail: present(mail) as SendMail, ...(purpose !== undefined && { purpose }) };
}

/** A topic is what recipients agree to: the consent purpose that the sender must have. */
function readTopic({ topic_id }: ResendEmail, violations: Violation[]): number | undefined {
  if (topic_id === undefined || topic_id === null || topic_id === '') return undefined;
  if (/^[1-9]\d{0,8}$/.test(topic_id)) return Number(topic_id);
  const message =
    'The `topic_id` is the number of a consent purpose here, for which the sender requires consent.';
  violations.push({ pointer: '/topic_id', code: 'value_error.purpose', message });
  return undefined;
}

function readFrom({ from }: ResendEmail, violations: Violation[]): NamedAddress | undefined {
  if (from === undefined || from === null || from === '') {
    violations.push(missing('from'));
    return undefined;
  }
  const mailbox = readMailbox(from);
  if (!mailbox) violations.push(notMailbox('/from', 'from'));
  return mailbox;
}

function readList(
  email: ResendEmail,
  field: 'to' | 'cc' | 'bcc' | 'reply_to',
  violations: Violation[],
): NamedAddress[] | undefined {
  const given = email[field];
  if (given === undefined || given === null || given === '' || given.length === 0) {
    if (field === 'to') violations.push(missing('to'));
    return undefined;
  }
  const isOne = typeof given === 'string';
  return (isOne ? [given] : given).flatMap((text, index) => {
    const mailbox = readMailbox(text);
    if (mailbox) return [mailbox];
    violations.push(notMailbox(isOne ? `/${field}` : `/${field}/${index}`, field));
    return [];
  });
}

function missing(field: string): Violation {
  return { pointer: `/${field}`, code: 'missing', message: `Missing \`${field}\` field.` };
}

function notMailbox(pointer: string, field: string): Violation {
  const message = `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`;
  return { pointer, code: 'value_error.email', message };
}

function refusals({ attachments, html, text, template }: ResendEmail, in_batch: boolean): Violation[] {
  const violations: Violation[] = [];
  const refuse = (pointer: string, message: string): void =>
    void violations.push({ pointer, code: 'value_error.unsupported', message });
  if (in_batch && attachments && attachments.length > 0) {
    refuse('/attachments', 'The `attachments` field is not supported in batch emails.');
  }
  for (const [index, { path, content, filename }] of (attachments ?? []).entries()) {
    const at = `/attachments/${index}`;
    if (typeof path === 'string') {
      refuse(
        `${at}/path`,
        'Chasqui fetches no attachments from URLs: send the file as `content` in place of `path`.',
      );
    } else if (!content || content.length === 0) {
      violations.push({ ...missing('content'), pointer: `${at}/content` });
    } else if (typeof content !== 'string' && !content.every(isOctet)) {
      const message = 'The `content` is base64, or a list of numbers from 0 to 255.';
      violations.push({ pointer: `${at}/content`, code: 'value_error.base64', message });
    }
    if (!filename && typeof path !== 'string') {
      violations.push({ ...missing('filename'), pointer: `${at}/filename` });
    }
  }
  if (!html && !text && !template) {
    violations.push({ ...missing('html'), message: 'Missing `html` or `text` field.' });
  }
  return violations;
}

function isOctet(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

type GivenAttachment = NonNullable<ResendEmail['attachments']>[number];

function attachmentOf({ content, filename, content_type, ...ids }: GivenAttachment) {
  const content_id = ids.content_id ?? ids.inline_content_id;
  return {
    content: typeof content === 'string' ? content : Buffer.from(content ?? []).toString('base64'),
    filename: filename ?? '',
    type: content_type?.split(';', 1)[0]?.trim() || mediaTypeOf(filename ?? ''),
    ...(content_id ? { content_id: content_id.replace(/^<(.+)>$/, '$1') } : {}),
  };
}

/** `{ name, value }`, and `{ "X-Tag": "v" }` as the bridge of Symfony writes it. */
function readTags(
  given: Record<string, string>[],
  violations: Violation[],
): Record<string, string> | undefined {
  if (given.length === 0) return undefined;
  const tags = new Map<string, string>();
  for (const [index, tag] of given.entries()) {
    const [only = ['', ''], another] = Object.entries(tag);
    const [name, value] = 'name' in tag ? [tag['name'] ?? '', tag['value'] ?? ''] : only;
    const pointer = `/tags/${index}`;
    const extra =
      'name' in tag ? Object.keys(tag).find((key) => key !== 'name' && key !== 'value') : another?.[0];
    if (extra !== undefined) {
      const message = 'A tag has a `name` and a `value`.';
      violations.push({ pointer: `${pointer}/${escapePointer(extra)}`, code: 'extra_forbidden', message });
    } else if (!/^[A-Za-z0-9_-]{1,256}$/.test(name)) {
      const message = 'Tags should only contain ASCII letters, numbers, underscores, or dashes.';
      violations.push({ pointer: `${pointer}/name`, code: 'string_pattern_mismatch', message });
    } else if (tags.has(name)) {
      const message = `Another tag has the name ${name}.`;
      violations.push({ pointer: `${pointer}/name`, code: 'value_error.duplicate', message });
    } else tags.set(name, value);
  }
  return Object.fromEntries(tags);
}

/** Headers of the caller. A Reply-To that says the same as `reply_to` is one of those that frameworks send along. */
function readHeaders(
  { headers }: ResendEmail,
  reply_to: NamedAddress[] | undefined,
): Record<string, string> | undefined {
  if (!headers) return undefined;
  const kept = Object.entries(headers).filter(([name, value]) => {
    if (isWritten(name)) return false;
    return name.toLowerCase() !== 'reply-to' || !isSame(value, reply_to);
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isSame(header: string, reply_to: NamedAddress[] | undefined): boolean {
  const addresses = header.split(',').map((each) => readMailbox(each)?.email);
  return addresses.join() === (reply_to ?? []).map(({ email }) => email).join();
}
