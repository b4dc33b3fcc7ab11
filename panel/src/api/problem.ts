/** One mistake of a request, and where it is: a JSON Pointer into the body or the query. */
export interface Violation {
  pointer: string;
  code: string;
  message: string;
}

interface ProblemDocument {
  status: number;
  code: string;
  detail: string;
  trace_id: string;
  errors?: Violation[];
}

/** A refusal of the service (RFC 9457), or that it could not be reached: status 0. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly trace_id: string | undefined;
  readonly errors: Violation[];
  readonly retry_after_seconds: number | undefined;

  constructor(document: Partial<ProblemDocument>, retry_after?: string | null) {
    super(document.detail ?? '');
    this.name = 'ApiProblem';
    this.status = document.status ?? 0;
    this.code = document.code ?? 'unreachable';
    this.trace_id = document.trace_id;
    this.errors = document.errors ?? [];
    this.retry_after_seconds = retry_after ? Number(retry_after) : undefined;
  }

  /** Nothing is wrong with the request; another time it may do. */
  get is_outage(): boolean {
    return this.status === 0 || [502, 503, 504].includes(this.status);
  }
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const document: unknown = await response.json().catch(() => ({}));
  const known = typeof document === 'object' && document !== null ? document : {};
  return new ApiProblem({ ...known, status: response.status }, response.headers.get('retry-after'));
}
