import { errorCatalogue, type ErrorCode } from '../../base/errors/catalogue.ts';
import { problemTypes } from '../../base/errors/problem-types.ts';
import type { Problem } from '../../base/errors/problem.ts';
import type { RefusalContext, VendorAnswer } from '../vendor.ts';

const byCode: Partial<Record<ErrorCode, number>> = {
  validation_error: 400,
  unsupported_media_type: 415,
  sender_not_found: 403,
  domain_sender_not_verified: 403,
  sandbox_relay_restricted: 403,
  subscription_inactive: 403,
  mail_template_not_found: 400,
  template_not_public: 400,
  plan_send_limit_exceeded: 403,
};

const maxListed = 100;

/** `{ errors: [{ message, field, help }] }`. */
export function refuse(problem: Problem, { has_key }: RefusalContext): VendorAnswer {
  const { code, message, facts } = problem;
  const status = byCode[code] ?? problemTypes[errorCatalogue[code].type].status;
  const errors = facts.errors?.slice(0, maxListed).map((each) => ({
    message: each.message,
    field: fieldOf(each.pointer),
    help: null,
  }));
  const headers = status === 429 ? rateHeaders(problem) : {};
  const sentence =
    code === 'unauthorized' ? unauthorized(has_key) : code === 'forbidden' ? 'access forbidden' : message;
  return {
    status,
    headers,
    body: { errors: errors ?? [{ message: sentence, field: fields[code] ?? null, help: null }] },
  };
}

const fields: Partial<Record<ErrorCode, string>> = {
  sender_not_found: 'from',
  domain_sender_not_verified: 'from',
  mail_template_not_found: 'template_id',
  template_not_public: 'template_id',
};

function unauthorized(has_key: boolean): string {
  return has_key
    ? 'The provided authorization grant is invalid, expired, or revoked'
    : 'Permission denied, wrong credentials';
}

/** `personalizations.0.to.0.email`. */
function fieldOf(pointer: string): string | null {
  if (pointer === '') return null;
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function rateHeaders({ facts }: Problem): Record<string, string> {
  const seconds = facts.retry_after_seconds ?? 1;
  const reset = Math.ceil(Date.now() / 1000) + seconds;
  return { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
}

const ours: Readonly<Record<string, string>> = {
  sender_email: 'from/email',
  sender_name: 'from/name',
  schedule_at: 'send_at',
  html: 'content',
  text: 'content',
  template_alias: 'template_id',
  category: 'categories',
  tags: 'custom_args',
};
const ofPersonalization: Readonly<Record<string, string>> = {
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
  subject: 'subject',
  template_variables: 'dynamic_template_data',
};
const ofTracking: Readonly<Record<string, string>> = {
  opens: 'open_tracking/enable',
  clicks: 'click_tracking/enable',
};

function ofOurs(member: string): string {
  return (Object.hasOwn(ours, member) && ours[member]) || member;
}

/** A pointer into one of our mails, as one into the call of SendGrid. */
export function pointerOf(pointer: string, index: number): string {
  const [, first = '', ...rest] = pointer.split('/');
  if (pointer === '') return `/personalizations/${index}`;
  const own = ofPersonalization[first];
  if (own !== undefined) return ['', 'personalizations', index, own, ...rest].join('/');
  if (first === 'tracking') return `/tracking_settings/${ofTracking[rest[0] ?? ''] ?? ''}`;
  return ['', ofOurs(first), ...rest].join('/');
}
