import { Problem, type Violation } from '../errors/problem.ts';
import { escapePointer } from './violations.ts';

/** No operation needs a body that is deeper or has more values; a validator that lists every mistake must be bounded. */
const max_depth = 32;
const max_values = 10_000;
const too_many = `made of more than ${max_values} values`;
const most_violations = 200;

/**
 * Finds text that cannot be stored or sent on: NUL, which PostgreSQL text does not hold, and lone surrogates, which
 * are no characters and have no UTF-8 form.
 */
export function findUnsafeText(root: unknown): Violation[] {
  const violations: Violation[] = [];
  const path: string[] = [];
  let count = 0;
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && isUnsafe(value)) violations.push(unsafe(path));
    if (typeof value !== 'object' || value === null) return;
    if (path.length === max_depth) refuse(`nested deeper than ${max_depth} levels`);
    // A list is measured before each of its places is written out as a key.
    if (Array.isArray(value) && value.length > max_values) refuse(too_many);
    const keys = Object.keys(value);
    count += keys.length;
    if (count > max_values) refuse(too_many);
    for (const key of keys) {
      if (isUnsafe(key)) violations.push(unsafe(path));
      path.push(key);
      visit((value as Record<string, unknown>)[key]);
      path.pop();
    }
  };
  visit(root);
  return violations.slice(0, most_violations);
}

function refuse(why: string): never {
  throw new Problem('bad_request', { detail: `The body is ${why}.` });
}

function isUnsafe(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

function unsafe(path: string[]): Violation {
  return {
    pointer: path.map((key) => `/${escapePointer(key)}`).join(''),
    code: 'string_unicode',
    message: 'String should be valid Unicode text without NUL characters',
  };
}
