import { errorCatalogue, type ErrorCode } from './catalogue.ts';

/** One broken rule of a request: the item of `errors[]` (spec §7.4). */
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

export function validationProblem(violations: Violation[]): Problem {
  return new Problem('validation_error', { errors: violations });
}
