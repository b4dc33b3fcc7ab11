import { Problem, type Violation } from '../errors/problem.ts';
import { escapePointer } from './violations.ts';

/** No operation needs a body that is deeper or has more values; a validator that lists every mistake must be bounded. */
const max_depth = 32;
const max_values = 10_000;
const most_violations = 200;

interface Visit {
  value: unknown;
  /** In the value it stands in. */
  key: string;
  within: Visit | undefined;
  depth: number;
}

/**
 * Finds text that cannot be stored or sent on: NUL, which PostgreSQL text does not hold, and lone surrogates, which
 * are no characters and have no UTF-8 form. Walks with its own stack, since nesting is the sender's choice.
 */
export function findUnsafeText(root: unknown): Violation[] {
  const violations: Violation[] = [];
  const stack: Visit[] = [{ value: root, key: '', within: undefined, depth: 0 }];
  let count = 0;
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { value, depth } = visit;
    if (typeof value === 'string' && isUnsafe(value)) violations.push(unsafe(visit));
    if (typeof value !== 'object' || value === null) continue;
    if (depth === max_depth) refuse(`nested deeper than ${max_depth} levels`);
    const keys = Object.keys(value);
    count += keys.length;
    if (count > max_values) refuse(`made of more than ${max_values} values`);
    // Backwards, so that the stack gives them forwards.
    for (const key of keys.toReversed()) {
      if (isUnsafe(key)) violations.push(unsafe(visit));
      const child = (value as Record<string, unknown>)[key];
      stack.push({ value: child, key, within: visit, depth: depth + 1 });
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

function unsafe(visit: Visit): Violation {
  return {
    pointer: pointerOf(visit),
    code: 'string_unicode',
    message: 'String should be valid Unicode text without NUL characters',
  };
}

/** Written only where there is something to tell: most values are in order. */
function pointerOf({ key, within }: Visit): string {
  return within ? `${pointerOf(within)}/${escapePointer(key)}` : '';
}
