import { errorCatalogue, type ErrorCode } from '../../base/errors/catalogue.ts';
import { problemTypes } from '../../base/errors/problem-types.ts';
import type { Problem, Violation } from '../../base/errors/problem.ts';
import type { RefusalContext, VendorAnswer } from '../vendor.ts';

/** Of a violation: more messages than a batch may have. */
export const too_many = 'value_error.too_many';

type Codes = [status: number, errorCode: number];

const byCode: Partial<Record<ErrorCode, Codes>> = {
  bad_request: [422, 402],
  unsupported_media_type: [422, 409],
  validation_error: [422, 300],
  unauthorized: [401, 10],
  forbidden: [401, 10],
  ip_not_allowed: [401, 10],
  instance_disabled: [422, 412],
  sender_not_found: [422, 400],
  domain_sender_not_verified: [422, 401],
  sandbox_relay_restricted: [422, 412],
  plan_send_limit_exceeded: [422, 405],
  subscription_inactive: [422, 413],
  mail_template_not_found: [422, 1101],
  template_not_public: [422, 1101],
  message_not_found: [422, 701],
  mail_outside_retention: [422, 701],
  mail_not_found: [422, 407],
  idempotency_key_reused: [422, 300],
  idempotency_in_progress: [422, 300],
  rate_limit_exceeded: [429, 429],
  internal_error: [500, 0],
};

/** `{ ErrorCode, Message }`; its clients choose the class of an error by both numbers. */
export function refuse(problem: Problem, { has_key }: RefusalContext): VendorAnswer {
  const { errors } = problem.facts;
  const [status, known] = codesOf(problem.code);
  const ErrorCode = errors?.[0]?.code === too_many ? 410 : known;
  return { status, body: { ErrorCode, Message: messageOf(problem, has_key), ...(errors && { errors }) } };
}

export function errorCodeOf({ code }: Problem): number {
  return codesOf(code)[1];
}

function codesOf(code: ErrorCode): Codes {
  const known = byCode[code];
  if (known) return known;
  const { status } = problemTypes[errorCatalogue[code].type];
  if (status === 404) return [404, 0];
  if (status >= 500) return [status, 100];
  // Its clients know no other refusal of what was asked for.
  return status === 409 ? [422, 300] : [status, 300];
}

const missingToken =
  'No Account or Server API tokens were supplied in the HTTP headers. Please add a header for either X-Postmark-Server-Token or X-Postmark-Account-Token.';

export function messageOf(problem: Problem, has_key = true): string {
  if (problem.code === 'unauthorized') {
    return has_key ? 'Request does not contain a valid Server token.' : missingToken;
  }
  const { errors } = problem.facts;
  return errors && errors.length > 0 ? sentencesOf(errors) : problem.message;
}

const maxListed = 5;

function sentencesOf(errors: Violation[]): string {
  const sentences = errors.slice(0, maxListed).map(({ pointer, message, code }) => {
    const field = pointer.slice(1).replaceAll('/', '.');
    // Our own sentences of a mapping name the field.
    return field === '' || code === 'value_error' ? message : `${field}: ${message}`;
  });
  return sentences.join(' ');
}

const ours: Readonly<Record<string, string>> = {
  sender_email: 'From',
  sender_name: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  reply_to: 'ReplyTo',
  subject: 'Subject',
  html: 'HtmlBody',
  text: 'TextBody',
  template_id: 'TemplateId',
  template_alias: 'TemplateAlias',
  template_variables: 'TemplateModel',
  headers: 'Headers',
  attachments: 'Attachments',
  category: 'Tag',
  tags: 'Metadata',
  stream: 'MessageStream',
  inline_css: 'InlineCss',
};
const ofAttachments: Readonly<Record<string, string>> = {
  content: 'Content',
  filename: 'Name',
  type: 'ContentType',
  content_id: 'ContentID',
  disposition: 'Disposition',
};

function ofOurs(member: string): string {
  return (Object.hasOwn(ours, member) && ours[member]) || member;
}

/** A pointer into our form of a mail, as one into Postmark’s. */
export function pointerOf(pointer: string): string {
  const [, first = '', ...rest] = pointer.split('/');
  if (pointer === '') return '';
  if (first === 'tracking') return rest[0] === 'opens' ? '/TrackOpens' : '/TrackLinks';
  // Recipients are one text there.
  if (/^(?:to|cc|bcc|reply_to)$/.test(first)) return `/${ofOurs(first)}`;
  if (first === 'tags' && rest[0] === 'Tag') return '/Tag';
  if (first === 'attachments' && rest[1] !== undefined) rest[1] = ofAttachments[rest[1]] ?? rest[1];
  return ['', ofOurs(first), ...rest].join('/');
}
