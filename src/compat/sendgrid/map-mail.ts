import type { SendMail } from '../../accept/index.ts';
import { Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import { compileValidator, type Validate } from '../../base/http/validation.ts';
import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import { categorySlug } from '../../mails/index.ts';
import { categoryTag } from '../../webhooks/index.ts';
import { dropEmptyLists } from '../empty-maps.ts';
import { mediaTypeOf } from '../media-type-of.ts';
import type { MappedMail } from '../send-mails.ts';
import { templateOf } from '../template-of.ts';
import { present } from '../present.ts';
import { isWritten } from '../written-headers.ts';
import { type Personalization, SendGridMail } from './mail-schema.ts';
import { refusalsOf } from './refusals.ts';

let validate: Validate | undefined;

/** One transaction holds as much (`accept-drafts.ts`), and each personalization is a message with the whole content. */
const maxTotalBytes = 64 * 1024 * 1024;

export interface MappedMails {
  mails: MappedMail[];
  /** Validate, and send nothing. */
  is_sandbox: boolean;
}

/**
 * A call as SendGrid takes it, as sends of ours: each personalization is a message of its own. `group` is the identifier of
 * the call; the messages are `<group>.0`, `<group>.1` …
 */
export function mapMail(given: unknown, group: string): MappedMails {
  validate ??= compileValidator(SendGridMail);
  dropEmptyMaps(given);
  const violations = validate(given);
  if (violations.length > 0) throw validationProblem(violations);
  const mail = given as SendGridMail;
  violations.push(...refusalsOf(mail));
  const content = contentOf(mail, violations);
  const common = {
    attachments: mail.attachments?.map(attachmentOf),
    reply_to: (mail.reply_to_list ?? (mail.reply_to ? [mail.reply_to] : undefined))?.map(named),
    tracking: trackingOf(mail),
    category: mail.categories?.[0] ? categorySlug(mail.categories[0]) : undefined,
    custom_group_code: group,
  };
  const mails = mail.personalizations.map((each, index) => ({
    mail: present({
      ...common,
      ...senderOf(mail, each, { index, violations }),
      ...recipientsOf(each, index, violations),
      ...filled(mail, each, content),
      headers: headersOf(mail, each),
      tags: tagsOf(mail, each, { index, violations }),
      schedule_at: scheduleOf(each.send_at ?? mail.send_at),
      custom_msg_id: `${group}.${index}`,
    }) as SendMail,
  }));
  if (violations.length > 0) throw validationProblem(violations);
  requireSize(mail);
  return { mails, is_sandbox: mail.mail_settings?.sandbox_mode?.enable === true };
}

const maps = ['headers', 'custom_args', 'sections', 'asm', 'substitutions', 'dynamic_template_data'];

function dropEmptyMaps(given: unknown): void {
  dropEmptyLists(given, maps);
  const { personalizations } = (given ?? {}) as { personalizations?: unknown };
  if (Array.isArray(personalizations)) for (const each of personalizations) dropEmptyLists(each, maps);
}

function requireSize({ content, attachments, personalizations }: SendGridMail): void {
  const texts = (content ?? []).reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
  const files = (attachments ?? []).reduce((sum, each) => sum + each.content.length * 0.75, 0);
  if ((texts + files) * personalizations.length <= maxTotalBytes) return;
  throw new Problem('request_too_large', {
    detail: `Content and attachments times personalizations are at most ${maxTotalBytes} bytes: send fewer personalizations with one call.`,
  });
}

interface Content {
  html?: string;
  text?: string;
}

function contentOf({ content, template_id }: SendGridMail, violations: Violation[]): Content {
  const parts: Content = {};
  for (const [index, { type, value }] of (content ?? []).entries()) {
    const kind = type.split(';', 1)[0]?.trim().toLowerCase();
    const member = kind === 'text/html' ? 'html' : kind === 'text/plain' ? 'text' : undefined;
    const pointer = `/content/${index}/type`;
    if (member === undefined) {
      violations.push(refused(pointer, `Content is text/plain or text/html here, not ${type}.`));
    } else if (parts[member] !== undefined) {
      violations.push(refused(pointer, `There is another content of type ${type}.`));
    } else parts[member] = value;
  }
  if (!template_id && parts.html === undefined && parts.text === undefined) {
    const message = 'The content is required: text/plain, text/html or both.';
    violations.push({ pointer: '/content', code: 'missing', message });
  }
  return parts;
}

/** A template brings its own subject and content. */
function filled(mail: SendGridMail, each: Personalization, content: Content): object {
  const subject = each.subject ?? mail.subject;
  const own = present({ subject: subject || undefined, ...content });
  if (!mail.template_id) return own;
  // Its clients send the data of templates only that are called so.
  const [, id = mail.template_id] = /^d-(\d{1,15})$/.exec(mail.template_id) ?? [];
  return { ...own, ...templateOf(id, each.dynamic_template_data ?? undefined) };
}

interface Place {
  index: number;
  violations: Violation[];
}

function senderOf(mail: SendGridMail, { from }: Personalization, { index, violations }: Place) {
  const { email, name } = from ?? mail.from;
  const pointer = from ? `/personalizations/${index}/from/email` : '/from/email';
  // What is the same for all is told once.
  if (!canonicalAddress(email) && (from || index === 0)) violations.push(noAddress(pointer, email));
  return { sender_email: email, sender_name: unquoted(name) || undefined };
}

function recipientsOf(each: Personalization, index: number, violations: Violation[]) {
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const [place, { email }] of (each[kind] ?? []).entries()) {
      if (canonicalAddress(email)) continue;
      violations.push(noAddress(`/personalizations/${index}/${kind}/${place}/email`, email));
    }
  }
  return { to: each.to.map(named), cc: each.cc?.map(named), bcc: each.bcc?.map(named) };
}

type Mailbox = SendGridMail['from'];

function named({ email, name }: Mailbox): Mailbox {
  return name ? { email, name: unquoted(name) } : { email };
}

/** Names in quotes are quoted strings there (RFC 5322 §3.2.4): anymail quotes all of them. */
function unquoted<Name extends string | null | undefined>(name: Name): Name | string {
  const [, inner] = /^"(.*)"$/s.exec(name ?? '') ?? [];
  return inner === undefined ? name : inner.replaceAll(/\\(.)/gs, '$1');
}

function noAddress(pointer: string, email: string): Violation {
  const message = `Does not contain a valid address: ${email.slice(0, 320)}`;
  return { pointer, code: 'value_error.email', message };
}

function refused(pointer: string, message: string): Violation {
  return { pointer, code: 'value_error', message };
}

type Attachment = NonNullable<SendGridMail['attachments']>[number];

function attachmentOf({ content, filename, type, disposition, ...ids }: Attachment) {
  const content_id = ids.content_id ?? ids.contentId;
  return {
    content,
    filename,
    type: type?.split(';', 1)[0]?.trim() || mediaTypeOf(filename),
    ...(disposition ? { disposition } : {}),
    ...(content_id ? { content_id: content_id.replace(/^<(.+)>$/, '$1') } : {}),
  };
}

function trackingOf({ tracking_settings }: SendGridMail): object | undefined {
  const opens = tracking_settings?.open_tracking?.enable;
  const clicks = tracking_settings?.click_tracking?.enable;
  const tracking = present({ opens, clicks });
  return Object.keys(tracking).length === 0 ? undefined : tracking;
}

function headersOf(mail: SendGridMail, each: Personalization): Record<string, string> | undefined {
  if (!mail.headers && !each.headers) return undefined;
  const headers = Object.entries({ ...mail.headers, ...each.headers }).filter(([name]) => !isWritten(name));
  return headers.length === 0 ? undefined : Object.fromEntries(headers);
}

/** Categories are tags of ours: `category`, `category.2` … */
function tagsOf(
  { custom_args, categories }: SendGridMail,
  each: Personalization,
  { index, violations }: Place,
): Record<string, string> | undefined {
  if (!custom_args && !each.custom_args && !categories) return undefined;
  const tags: Record<string, string> = { ...custom_args, ...each.custom_args };
  for (const [place, category] of (categories ?? []).entries()) {
    const name = categoryTag(place);
    if (Object.hasOwn(tags, name)) {
      const at =
        each.custom_args && Object.hasOwn(each.custom_args, name) ? `/personalizations/${index}` : '';
      violations.push(refused(`${at}/custom_args/${name}`, `The name ${name} is taken: it has a category.`));
    }
    tags[name] = category;
  }
  return Object.keys(tags).length === 0 ? undefined : tags;
}

function scheduleOf(send_at: number | null | undefined): string | undefined {
  return typeof send_at === 'number' && send_at > 0 ? new Date(send_at * 1000).toISOString() : undefined;
}
