import type { ErrorCode } from './catalogue.ts';
import { Problem } from './problem.ts';

/** Unique and check constraints that a request can run into, and what each means to the caller. */
const constraintCodes: Record<string, ErrorCode> = {
  instances_slug_key: 'instance_already_exists',
  memberships_pkey: 'user_already_member',
};

/** SQLSTATE classes that mean the store is out of reach for now, not that the statement is wrong. */
const unavailable = /^(08|53|57P|58|40001|40P01|57014|55P03)/;
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);

/** The problem a thrown value stands for, or undefined when it is a bug. */
export function problemFromError(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (typeof constraint === 'string') {
    const known = constraintCodes[constraint];
    if (known) return new Problem(known, { cause: error });
  }
  if (typeof code === 'string' && (unavailable.test(code) || network.has(code)))
    return unavailableProblem(error);
  // `pg` gives these no code: the pool waited too long for a connection, or the connection went away under the query.
  if (/timeout exceeded when trying to connect|Connection terminated|not queryable/.test(error.message)) {
    return unavailableProblem(error);
  }
  return undefined;
}

function unavailableProblem(cause: Error): Problem {
  return new Problem('service_unavailable', { cause, retry_after_seconds: 1 });
}
