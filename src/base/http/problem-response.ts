import { errorCatalogue } from '../errors/catalogue.ts';
import { problemTypes } from '../errors/problem-types.ts';
import type { Problem } from '../errors/problem.ts';

export interface ProblemResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export const problem_media_type = 'application/problem+json; charset=utf-8';

/** The RFC 9457 document and the headers that go with it. */
export function problemResponse(
  problem: Problem,
  context: { base_url: string; trace_id: string },
): ProblemResponse {
  const { type: slug } = errorCatalogue[problem.code];
  const { status, title } = problemTypes[slug];
  const { errors, max_bytes, retry_after_seconds, allow } = problem.facts;
  const headers: Record<string, string> = {
    'content-type': problem_media_type,
    // Caches may keep a 404 or 405 of their own accord (RFC 9110 §15.1).
    'cache-control': 'no-store',
  };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (allow) headers['allow'] = allow.join(', ');
  if (retry_after_seconds !== undefined) headers['retry-after'] = String(retry_after_seconds);
  return {
    status,
    headers,
    body: {
      type: `${context.base_url}/docs/errors/${slug}`,
      title,
      status,
      detail: problem.message,
      code: problem.code,
      trace_id: context.trace_id,
      ...(errors ? { errors } : {}),
      ...(max_bytes === undefined ? {} : { max_bytes }),
    },
  };
}
