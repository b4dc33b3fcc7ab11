import { errorCatalogue, type ErrorCode } from '../errors/catalogue.ts';
import { problemTypes } from '../errors/problem-types.ts';
import { Problem } from '../errors/problem.ts';
import { isRefusedWhileDisabled, type Operation } from '../http/operation.ts';
import { problemResponse } from '../http/problem-response.ts';
import type { Components } from './components.ts';
import { ProblemDocument } from './shared-parts.ts';

type Json = Record<string, unknown>;

/** What an operation can answer besides its own codes, by what kind of operation it is. */
export function possibleErrors(operation: Operation): ErrorCode[] {
  const { access, params, query, body, errors, never_bad_request, is_repeatable } = operation;
  return [
    // A query string that cannot be decoded is refused everywhere, also where it would not be used.
    ...(never_bad_request ? [] : (['bad_request'] as const)),
    ...(access.kind === 'open' ? [] : (['unauthorized', 'rate_limit_exceeded'] as const)),
    ...(access.kind === 'open' || access.kind === 'account' ? [] : (['forbidden'] as const)),
    ...(access.kind === 'open' || access.kind === 'account' ? [] : (['ip_not_allowed'] as const)),
    ...(access.kind === 'user' ? (['second_factor_setup_required'] as const) : []),
    ...(isRefusedWhileDisabled(operation) ? (['instance_disabled'] as const) : []),
    ...(body ? (['request_too_large', 'unsupported_media_type', 'rate_limit_exceeded'] as const) : []),
    ...(params || query || body ? (['validation_error'] as const) : []),
    ...(is_repeatable ? (['idempotency_key_reused', 'idempotency_in_progress'] as const) : []),
    ...errors,
    'internal_error',
    'service_unavailable',
  ];
}

/** One response per status, with an example for each code that has it. */
export function errorResponses(operation: Operation, components: Components): Record<string, Json> {
  const byStatus = Map.groupBy(
    new Set(possibleErrors(operation)),
    (code) => problemTypes[errorCatalogue[code].type].status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, errorResponse(status, codes, components)]),
  );
}

function errorResponse(status: number, codes: ErrorCode[], components: Components): Json {
  const names = [
    status === 401 ? 'WWW-Authenticate' : [],
    status === 429 || status === 503 || codes.includes('idempotency_in_progress') ? 'Retry-After' : [],
  ].flat();
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].detail}`).join('\n\n'),
    ...(names.length > 0 ? { headers } : {}),
    content: {
      'application/problem+json': {
        schema: components.refer(ProblemDocument),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

const request_id = '0198c1f2-7d40-7000-8000-2f6d1c3b5a7a';
const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';

function exampleOf(code: ErrorCode): unknown {
  const errors = [{ pointer: '/name', code: 'missing', message: 'Field required' }];
  const problem = new Problem(code, code === 'validation_error' ? { errors } : {});
  return problemResponse(problem, { base_url: 'https://mail.example.com', request_id, trace_id }).body;
}
