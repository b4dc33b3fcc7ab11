import type { SendMail } from '../../accept/index.ts';
import { type Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import { compileValidator, type Validate } from '../../base/http/validation.ts';
import { categorySlug } from '../../mails/index.ts';
import { tagName } from '../../webhooks/index.ts';
import { dropEmptyLists } from '../empty-maps.ts';
import { mediaTypeOf } from '../media-type-of.ts';
import { type NamedAddress, readMailboxes } from '../read-mailbox.ts';
import type { MappedMail } from '../send-mails.ts';
import { templateOf } from '../template-of.ts';
import { PostmarkMessage, PostmarkTemplated, type PostmarkCommon } from './message-schema.ts';
import { present } from '../present.ts';
import { isWritten } from '../written-headers.ts';
import { streams } from './streams.ts';

let validators: { message: Validate; templated: Validate } | undefined;

/** A mail as Postmark takes it, as a send of ours; a problem with pointers into Postmark’s form. */
export function mapMessage(given: unknown, with_template: boolean): MappedMail | Problem {
  validators ??= {
    message: compileValidator(PostmarkMessage),
    templated: compileValidator(PostmarkTemplated),
  };
  dropEmptyLists(given, ['Metadata', 'TemplateModel']);
  const violations = (with_template ? validators.templated : validators.message)(given);
  if (violations.length > 0) return validationProblem(violations);
  const message = given as PostmarkCommon;
  const content = with_template
    ? templateContent(given as PostmarkTemplated, violations)
    : ownContent(given as PostmarkMessage, violations);
  const [from] = readList(message, 'From', violations) ?? [];
  const mail = {
    sender_email: from?.email ?? '',
    sender_name: from?.name,
    to: readList(message, 'To', violations) ?? [],
    cc: readList(message, 'Cc', violations),
    bcc: readList(message, 'Bcc', violations),
    reply_to: readList(message, 'ReplyTo', violations),
    ...content,
    headers: readHeaders(message, violations),
    attachments: message.Attachments?.map(attachmentOf),
    category: message.Tag ? categorySlug(message.Tag) : undefined,
    tags: readTags(message, violations),
    tracking: readTracking(message, violations),
  };
  const stream = readStream(message, violations);
  if (violations.length > 0) return validationProblem(violations);
  const isInlined = with_template && (given as PostmarkTemplated).InlineCss === true;
  return {
    mail: present(mail) as SendMail,
    ...(stream && { stream }),
    ...(isInlined && { without_stylesheets: true }),
  };
}

function ownContent({ Subject, HtmlBody, TextBody }: PostmarkMessage, violations: Violation[]): object {
  if (!Subject) violations.push(refused('Subject', 'A message needs a Subject here.'));
  if (!HtmlBody && !TextBody) {
    violations.push(refused('HtmlBody', 'Provide either email TextBody or HtmlBody or both.'));
  }
  return { subject: Subject ?? '', html: HtmlBody || undefined, text: TextBody || undefined };
}

function templateContent(
  { TemplateId, TemplateAlias, TemplateModel }: PostmarkTemplated,
  violations: Violation[],
): object {
  const name = TemplateId ?? TemplateAlias;
  if (name === undefined || name === null || name === '' || (TemplateId && TemplateAlias)) {
    violations.push(refused('TemplateId', 'Give either TemplateId or TemplateAlias.'));
    return {};
  }
  return templateOf(name, TemplateModel ?? undefined);
}

type ListField = 'From' | 'To' | 'Cc' | 'Bcc' | 'ReplyTo';

/** The sentences are those that clients read addresses out of. */
function readList(
  message: PostmarkCommon,
  field: ListField,
  violations: Violation[],
): NamedAddress[] | undefined {
  const given = message[field]?.trim();
  if (!given) {
    if (field === 'From') violations.push(refused('From', `Invalid 'From' address: ''.`));
    if (field === 'To') violations.push(refused('To', 'Zero recipients specified: To is required.'));
    return undefined;
  }
  const read = readMailboxes(given);
  if (Array.isArray(read) && (field !== 'From' || read.length === 1)) return read;
  const invalid = Array.isArray(read) ? given : read.invalid;
  const sentence =
    field === 'From' || field === 'To'
      ? `Invalid '${field}' address: '${invalid}'.`
      : `Error parsing '${field}': Illegal email address '${invalid}'.`;
  violations.push(refused(field, sentence));
  return undefined;
}

function refused(pointer: string, message: string): Violation {
  return { pointer: `/${pointer}`, code: 'value_error', message };
}

function readHeaders(
  { Headers }: PostmarkCommon,
  violations: Violation[],
): Record<string, string> | undefined {
  const headers = new Map<string, string>();
  for (const [index, { Name, Value }] of (Headers ?? []).entries()) {
    const lower = Name.toLowerCase();
    if (lower.startsWith('x-pm-')) {
      violations.push(refused(`Headers/${index}/Name`, `Chasqui does not know the option ${Name}.`));
    } else if (headers.has(Name)) {
      violations.push(refused(`Headers/${index}/Name`, `Another header has the name ${Name}.`));
    } else if (!isWritten(Name)) headers.set(Name, Value);
  }
  return headers.size === 0 ? undefined : Object.fromEntries(headers);
}

type Attachment = NonNullable<PostmarkCommon['Attachments']>[number];

/** Symfony breaks base64 into lines. The client for PHP writes `ContentId`, which is the name where code gives none. */
function attachmentOf({ Name, Content, ContentType, ContentID, ContentId, Disposition }: Attachment) {
  const given = ContentID ?? (ContentId === Name ? undefined : ContentId);
  const content_id = given?.replace(/^cid:/i, '').replace(/^<(.+)>$/, '$1');
  return {
    filename: Name,
    content: /\s/.test(Content) ? Content.replaceAll(/\s+/g, '') : Content,
    type: ContentType?.split(';', 1)[0]?.trim() || mediaTypeOf(Name),
    ...(content_id ? { content_id } : {}),
    ...(Disposition ? { disposition: Disposition.toLowerCase() } : {}),
  };
}

/** `Tag` is a tag of ours, beside those of `Metadata`. */
function readTags(
  { Tag, Metadata }: PostmarkCommon,
  violations: Violation[],
): Record<string, string> | undefined {
  const tags = { ...Metadata };
  if (Object.hasOwn(tags, tagName)) {
    violations.push(
      refused(`Metadata/${tagName}`, `The name ${tagName} is taken: it has the Tag of the message.`),
    );
  }
  if (Tag) tags[tagName] = Tag;
  return Object.keys(tags).length === 0 ? undefined : tags;
}

const trackedLinks: ReadonlyMap<string, boolean> = new Map([
  ['None', false],
  ['HtmlOnly', true],
  ['HtmlAndText', true],
]);

/** Links in plain text are never tracked: `HtmlAndText` tracks those in the HTML. */
function readTracking(
  { TrackOpens, TrackLinks }: PostmarkCommon,
  violations: Violation[],
): object | undefined {
  const clicks = trackedLinks.get(TrackLinks ?? '');
  if (TrackLinks && clicks === undefined) {
    const sentence =
      TrackLinks === 'TextOnly'
        ? 'Chasqui tracks no links in plain text: TrackLinks is None, HtmlOnly or HtmlAndText.'
        : `TrackLinks is None, HtmlOnly or HtmlAndText, not '${TrackLinks}'.`;
    violations.push(refused('TrackLinks', sentence));
  }
  const isNothing = (TrackOpens ?? undefined) === undefined && clicks === undefined;
  if (isNothing) return undefined;
  return {
    ...(typeof TrackOpens === 'boolean' ? { opens: TrackOpens } : {}),
    ...(clicks === undefined ? {} : { clicks }),
  };
}

function readStream({ MessageStream }: PostmarkCommon, violations: Violation[]): MappedMail['stream'] {
  if (!MessageStream) return undefined;
  const stream = streams.get(MessageStream);
  if (!stream) {
    violations.push(
      refused(
        'MessageStream',
        `The MessageStream '${MessageStream}' does not exist: it is outbound or broadcast.`,
      ),
    );
  }
  return stream;
}
