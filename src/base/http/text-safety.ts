import { maxViolations, type Violation } from '../errors/problem.ts';
import { max_depth, tooComplex } from './json-meter.ts';
import { escapePointer } from './violations.ts';

const maxNameLength = 200;

/**
 * Finds text that cannot be stored or sent on: NUL, which PostgreSQL text does not hold, and lone surrogates, which
 * are not characters and have no UTF-8 form.
 */
export function findUnsafeText(root: unknown): Violation[] {
  const violations: Violation[] = [];
  const path: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && isUnsafe(value)) violations.push(unsafe(path));
    if (typeof value !== 'object' || value === null) return;
    // Short texts come here without having been counted.
    if (path.length === max_depth) throw tooComplex(`nested deeper than ${max_depth} levels`);
    if (Array.isArray(value) && isOfNumbers(value)) return;
    for (const key of Object.keys(value)) {
      if (violations.length >= maxViolations) return;
      if (isUnsafe(key)) violations.push(unsafe(path));
      // A name can be as long as a body, and stands in the pointer of each violation below it.
      path.push(key.slice(0, maxNameLength));
      visit((value as Record<string, unknown>)[key]);
      path.pop();
    }
  };
  visit(root);
  return violations.slice(0, maxViolations);
}

/** Lists of octets are long: to look at each by its name takes 100 times as long. */
function isOfNumbers(values: readonly unknown[]): boolean {
  return values.every((each) => typeof each === 'number');
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
