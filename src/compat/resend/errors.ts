import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { errorCatalogue } from '../../base/errors/catalogue.ts';
import { problemTypes } from '../../base/errors/problem-types.ts';
import type { Problem, Violation } from '../../base/errors/problem.ts';
import type { RefusalContext, VendorAnswer } from '../vendor.ts';

/** The names that its client for PHP knows: it takes an answer with any other for a success. */
type ErrorName =
  | 'validation_error'
  | 'missing_required_field'
  | 'invalid_parameter'
  | 'invalid_from_address'
  | 'invalid_attachment'
  | 'missing_api_key'
  | 'restricted_api_key'
  | 'invalid_api_key'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_idempotency_key'
  | 'invalid_idempotent_request'
  | 'concurrent_idempotent_requests'
  | 'rate_limit_exceeded'
  | 'monthly_quota_exceeded'
  | 'application_error'
  | 'internal_server_error';

type StatusAndName = [statusCode: number, name: ErrorName];

const byCode: Partial<Record<ErrorCode, StatusAndName>> = {
  bad_request: [400, 'validation_error'],
  forbidden: [401, 'restricted_api_key'],
  ip_not_allowed: [401, 'restricted_api_key'],
  instance_disabled: [401, 'restricted_api_key'],
  sender_not_found: [403, 'validation_error'],
  domain_sender_not_verified: [403, 'validation_error'],
  sandbox_relay_restricted: [403, 'validation_error'],
  subscription_inactive: [403, 'validation_error'],
  plan_send_limit_exceeded: [429, 'monthly_quota_exceeded'],
  rate_limit_exceeded: [429, 'rate_limit_exceeded'],
  mail_outside_retention: [404, 'not_found'],
  idempotency_key_reused: [409, 'invalid_idempotent_request'],
  idempotency_in_progress: [409, 'concurrent_idempotent_requests'],
  method_not_allowed: [405, 'method_not_allowed'],
  template_not_public: [422, 'validation_error'],
  message_already_sent: [422, 'validation_error'],
  internal_error: [500, 'internal_server_error'],
};

/** `{ statusCode, name, message }` with the status of the same number. */
export function refuse(problem: Problem, { has_key }: RefusalContext): VendorAnswer {
  const { errors } = problem.facts;
  const [status, name] = statusOf(problem, has_key);
  const message = errors && errors.length > 0 ? sentencesOf(errors) : problem.message;
  const headers = status === 429 ? rateHeaders(problem) : {};
  return { status, headers, body: { statusCode: status, name, message, ...(errors && { errors }) } };
}

function statusOf(problem: Problem, has_key: boolean): StatusAndName {
  const { code, facts } = problem;
  if (code === 'unauthorized') return has_key ? [403, 'invalid_api_key'] : [401, 'missing_api_key'];
  if (code === 'validation_error') return ofViolation(facts.errors?.[0]);
  const known = byCode[code];
  if (known) return known;
  const { status } = problemTypes[errorCatalogue[code].type];
  if (status === 404) return [404, 'not_found'];
  return status >= 500 ? [status, 'application_error'] : [status, 'validation_error'];
}

function ofViolation(first: Violation | undefined): StatusAndName {
  const { pointer = '', code = '' } = first ?? {};
  if (code === 'value_error.idempotency_key') return [400, 'invalid_idempotency_key'];
  const field = pointer.replace(/^\/\d+(?=\/|$)/, '');
  if (field.startsWith('/attachments')) return [422, 'invalid_attachment'];
  if (code === 'missing') return [422, 'missing_required_field'];
  if (field === '/from') return [422, 'invalid_from_address'];
  if (field === '/id') return [422, 'invalid_parameter'];
  return [422, 'validation_error'];
}

const maxListed = 5;

/** People read one sentence; programs have all violations beside it. */
export function sentencesOf(errors: Violation[]): string {
  const sentences = errors.slice(0, maxListed).map(({ pointer, message }) => {
    const field = pointer.slice(1).replaceAll('/', '.');
    return field === '' || message.includes('`') ? message : `\`${field}\`: ${message}`;
  });
  const more = errors.length - sentences.length;
  return sentences.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** When to come back: some clients read nothing else. */
function rateHeaders({ facts }: Problem): Record<string, string> {
  const seconds = String(facts.retry_after_seconds ?? 1);
  return { 'ratelimit-remaining': '0', 'ratelimit-reset': seconds };
}

const ours: Readonly<Record<string, string>> = {
  sender_email: 'from',
  sender_name: 'from',
  schedule_at: 'scheduled_at',
  purpose: 'topic_id',
  template_id: 'template/id',
  template_alias: 'template/id',
  template_variables: 'template/variables',
};

function ofOurs(member: string): string {
  return (Object.hasOwn(ours, member) && ours[member]) || member;
}

/** A pointer into our form of a mail, as one into Resend’s. */
export function pointerOf(pointer: string): string {
  const [, first = '', ...rest] = pointer.split('/');
  // A recipient is one text there.
  const inner = /^(?:to|cc|bcc|reply_to)$/.test(first) ? rest.slice(0, 1) : rest;
  if (first === 'attachments' && inner[1] === 'type') inner[1] = 'content_type';
  return pointer === '' ? '' : ['', ofOurs(first), ...inner].join('/');
}
