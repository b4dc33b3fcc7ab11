import type { ErrorCode } from './operations.ts';

/** One broken rule of a 422. */
export interface Violation {
  /** JSON Pointer (RFC 6901) to the value. */
  pointer: string;
  code: string;
  message: string;
  params?: Record<string, unknown>;
}

interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id?: string;
  trace_id: string;
  errors?: Violation[];
  max_bytes?: number;
}

/** The service refused the call (RFC 9457). Switch on `code`; newer services may have codes that this version does not list. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ErrorCode | (string & {});
  readonly status: number;
  /** A page that explains this kind of problem. */
  readonly type: string;
  /** As in `X-Request-Id`. */
  readonly request_id: string | undefined;
  /** Report the problem with it. */
  readonly trace_id: string;
  /** With 422: every broken rule. */
  readonly errors: Violation[];
  /** With 429 and 503: seconds to wait. */
  readonly retry_after: number | undefined;

  constructor(document: ProblemDocument, retry_after?: number) {
    const { detail, code, status, type, request_id, trace_id, errors = [] } = document;
    super([detail, ...errors.map(({ pointer, message }) => `${pointer || '/'}: ${message}`)].join('\n'));
    this.code = code;
    this.status = status;
    this.type = type;
    this.request_id = request_id;
    this.trace_id = trace_id;
    this.errors = errors;
    this.retry_after = retry_after;
  }
}

/** The answer did not come, or did not come from the service. A write may have been done or not. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Of an answer that another server gave, such as a proxy. */
  readonly status: number | undefined;

  constructor(message: string, options: { cause?: unknown; status?: number } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
  }
}

/** Whether the service refused the call, with this code if one is given. */
export function isProblem(error: unknown, code?: ErrorCode): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code);
}

/** What a failed answer means. */
export async function failureOf(response: Response): Promise<Problem | ConnectionError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const document = headers.get('content-type')?.startsWith('application/problem+json')
    ? parse(text)
    : undefined;
  if (document === undefined)
    return new ConnectionError(`The answer ${status} is not of the service: ${text.slice(0, 200)}`, {
      status,
    });
  const wait = Number(headers.get('retry-after') ?? Number.NaN);
  return new Problem(document, Number.isFinite(wait) ? wait : undefined);
}

/** Undefined when the answer was cut off. */
function parse(text: string): ProblemDocument | undefined {
  try {
    return JSON.parse(text) as ProblemDocument;
  } catch {
    return undefined;
  }
}
