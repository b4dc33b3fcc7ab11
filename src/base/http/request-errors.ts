import type { FastifyRequest } from 'fastify';
import { problemFromError } from '../errors/from-error.ts';
import { Problem } from '../errors/problem.ts';
import { tooLarge } from './collect-body.ts';

/** The framework's own refusals, the store's and the rooms', all as problems; what is left is a bug. */
export function problemOf(error: unknown, request: FastifyRequest): Problem {
  const known = problemFromError(error);
  if (known) return known;
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(request.routeOptions.bodyLimit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type', { cause: error });
    default:
  }
  // Only the framework's own: an error of some library that happens to carry a status is not the caller's fault.
  const refusal = typeof code === 'string' && code.startsWith('FST_') && Number(statusCode) < 500;
  return refusal
    ? new Problem('bad_request', { detail: 'The request could not be read.', cause: error })
    : new Problem('internal_error', { cause: error });
}

/** Rooms may refuse with the same code because something else is missing; that is not a failure of the database. */
export function isLostStore(error: unknown, problem: Problem): boolean {
  return problem.code === 'service_unavailable' && !(error instanceof Problem);
}

/** The last host that was one: nearly all requests name the same, and a URL is much to parse for each. */
let knownHost: string | undefined;

/**
 * RFC 9112 §3.2: an HTTP/1.1 request without a Host, or with a malformed one, is refused. The check of Node itself
 * answers without a body.
 */
export function hostProblem({ raw }: FastifyRequest): Problem | undefined {
  const { host } = raw.headers;
  if (host === undefined ? raw.httpVersion === '1.0' : host === knownHost) return undefined;
  if (host !== undefined && URL.canParse(`http://${host}`)) {
    knownHost = host;
    return undefined;
  }
  return new Problem('bad_request', { detail: 'The Host header is missing or malformed.' });
}
