import { Problem, type Violation } from '../errors/problem.ts';
import { escapePointer } from './violations.ts';

/** No operation needs a body that is deeper or has more values; a validator that lists every mistake must be bounded. */
const max_depth = 32;
const max_values = 10_000;
const most_violations = 200;

interface Visit {
  value: unknown;
  pointer: string;
  depth: number;
}

/**
 * Finds text that cannot be stored or sent on: NUL, which PostgreSQL text does not hold, and lone surrogates, which
 * are no characters and have no UTF-8 form. Walks with its own stack, since nesting is the sender's choice.
 */
export function findUnsafeText(root: unknown): Violation[] {
  const violations: Violation[] = [];
  const stack: Visit[] = [{ value: root, pointer: '', depth: 0 }];
  let count = 0;
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { value, pointer, depth } = visit;
    if (typeof value === 'string' && isUnsafe(value)) violations.push(unsafe(pointer));
    if (typeof value !== 'object' || value === null) continue;
    if (depth === max_depth) refuse(`nested deeper than ${max_depth} levels`);
    const keys = Object.keys(value);
    count += keys.length;
    if (count > max_values) refuse(`made of more than ${max_values} values`);
    // Backwards, so that the stack gives them forwards.
    for (const key of keys.toReversed()) {
      if (isUnsafe(key)) violations.push(unsafe(pointer));
      const child = (value as Record<string, unknown>)[key];
      stack.push({ value: child, pointer: `${pointer}/${escapePointer(key)}`, depth: depth + 1 });
    }
  }
  return violations.slice(0, most_violations);
}

function refuse(why: string): never {
  throw new Problem('bad_request', { detail: `The body is ${why}.` });
}

function isUnsafe(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

function unsafe(pointer: string): Violation {
  return {
    pointer,
    code: 'string_unicode',
    message: 'String should be valid Unicode text without NUL characters',
  };
}
