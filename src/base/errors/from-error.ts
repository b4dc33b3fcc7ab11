import type { ErrorCode } from './catalogue.ts';
import { Problem } from './problem.ts';

/** Unique and check constraints that a request can run into, and what each means to the caller. */
const constraintCodes: Record<string, ErrorCode> = {
  instances_slug_key: 'instance_already_exists',
  memberships_pkey: 'user_already_member',
  domains_name_unique: 'domain_already_exists',
  senders_email_unique: 'sender_already_exists',
  consent_purposes_code_key: 'consent_purpose_already_exists',
  consent_term_versions_label_key: 'consent_term_version_already_exists',
  consent_rules_one_per_pair: 'consent_duplicate_rule',
  domains_external_id_unique: 'external_id_already_exists',
  senders_external_id_unique: 'external_id_already_exists',
  mail_templates_external_id_unique: 'external_id_already_exists',
  mail_templates_alias_unique: 'template_alias_already_exists',
  fields_external_id_unique: 'external_id_already_exists',
  forms_external_id_unique: 'external_id_already_exists',
  consent_purposes_external_id_unique: 'external_id_already_exists',
  consent_terms_external_id_unique: 'external_id_already_exists',
  webhooks_external_id_unique: 'external_id_already_exists',
  api_keys_external_id_unique: 'external_id_already_exists',
  smtp_credentials_external_id_unique: 'external_id_already_exists',
};

/** SQLSTATE classes that mean the store is out of reach for now, not that the statement is wrong. */
const unavailable = /^(08|53|57P|58|40001|40P01|57014|55P03|25006)/;
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Of a Unix socket that is not there or has a full queue; from anything but a connect they would be bugs. */
const unixSocket = new Set(['ENOENT', 'EAGAIN', 'EACCES']);

/** `pg` gives these no code: the wait for a connection was too long, it went away under the query, or we are stopping. */
const codeless =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client .* not queryable|Cannot use a pool after)/;

/** The problem a thrown value stands for, or undefined when it is a bug. */
export function problemFromError(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return undefined;
  const { code, constraint, syscall } = error as { code?: unknown; constraint?: unknown; syscall?: unknown };
  if (typeof constraint === 'string') {
    const known = constraintCodes[constraint];
    if (known) return new Problem(known, { cause: error });
  }
  if (typeof code === 'string') {
    const refused = syscall === 'connect' && unixSocket.has(code);
    if (unavailable.test(code) || network.has(code) || refused) return unavailableProblem(error);
  }
  return codeless.test(error.message) ? unavailableProblem(error) : undefined;
}

function unavailableProblem(cause: Error): Problem {
  return new Problem('service_unavailable', { cause, retry_after_seconds: 1 });
}
