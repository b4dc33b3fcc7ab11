import { errorCatalogue } from '../errors/catalogue.ts';
import { problemTypes } from '../errors/problem-types.ts';
import type { Problem } from '../errors/problem.ts';

export interface ProblemResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export const problemMediaType = 'application/problem+json; charset=utf-8';

interface ProblemContext {
  base_url: string;
  request_id: string;
  trace_id: string;
}

/** The RFC 9457 document and the headers that go with it. */
export function problemResponse(problem: Problem, context: ProblemContext): ProblemResponse {
  const { status } = problemTypes[errorCatalogue[problem.code].type];
  const { retry_after_seconds, allow } = problem.facts;
  const headers: Record<string, string> = {
    'content-type': problemMediaType,
    // Caches may keep a 404 or 405 of their own accord (RFC 9110 §15.1).
    'cache-control': 'no-store',
  };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (allow) headers['allow'] = allow.join(', ');
  if (retry_after_seconds !== undefined) headers['retry-after'] = String(retry_after_seconds);
  return { status, headers, body: problemDocument(problem, context) };
}

/** The document where no header goes with it: inside an answer, or over MCP. */
export function nestedProblem(problem: Problem, context: ProblemContext): Record<string, unknown> {
  const { retry_after_seconds } = problem.facts;
  const document = problemDocument(problem, context);
  return retry_after_seconds === undefined ? document : { ...document, retry_after_seconds };
}

function problemDocument(
  problem: Problem,
  { base_url, request_id, trace_id }: ProblemContext,
): Record<string, unknown> {
  const { type: slug } = errorCatalogue[problem.code];
  const { status, title } = problemTypes[slug];
  const { errors, max_bytes, existing_id } = problem.facts;
  return {
    type: `${base_url}/docs/errors/${slug}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    request_id,
    trace_id,
    ...(errors ? { errors } : {}),
    ...(max_bytes === undefined ? {} : { max_bytes }),
    ...(existing_id === undefined ? {} : { existing_id }),
  };
}
