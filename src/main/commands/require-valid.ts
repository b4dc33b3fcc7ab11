import type { TSchema } from 'typebox';
import { validationProblem } from '../../base/errors/problem.ts';
import { findUnsafeText } from '../../base/http/text-safety.ts';
import { compileValidator } from '../../base/http/validation.ts';

/** What a body of the API has to hold to holds for the options of a command too. */
export function requireValid(schema: TSchema, value: unknown): void {
  const violations = [...findUnsafeText(value), ...compileValidator(schema)(value)];
  if (violations.length > 0) throw validationProblem(violations);
}
