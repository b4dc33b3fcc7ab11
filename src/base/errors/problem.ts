import { errorCatalogue, type ErrorCode } from './catalogue.ts';

/** One broken rule of a request: the item of `errors[]` (contract §16). */
export interface Violation {
  /** JSON Pointer (RFC 6901) to the value; '' is the root. */
  pointer: string;
  code: string;
  message: string;
  /** Context of the rule, such as `max_length`; left out when empty. */
  params?: Record<string, unknown>;
}

interface ProblemFacts {
  detail?: string;
  errors?: Violation[];
  max_bytes?: number;
  existing_id?: number | string;
  retry_after_seconds?: number;
  allow?: string[];
  cause?: unknown;
}

/** A refusal that the caller should see. Anything else that is thrown is a bug or a lost store. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly facts: ProblemFacts;

  constructor(code: ErrorCode, facts: ProblemFacts = {}) {
    super(facts.detail ?? errorCatalogue[code].detail, { cause: facts.cause });
    this.name = 'Problem';
    this.code = code;
    this.facts = facts;
  }
}

/** What a client can act on; a request with more mistakes than this is wrong as a whole. */
export const maxViolations = 100;

/** Names in it can be as long as the request. */
const maxPointerLength = 2_000;

export function validationProblem(violations: Violation[]): Problem {
  const errors = violations
    .slice(0, maxViolations)
    .map((each) => ({ ...each, pointer: each.pointer.slice(0, maxPointerLength).replace(/~$/, '') }));
  return new Problem('validation_error', { errors });
}
