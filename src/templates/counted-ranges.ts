import { Expression, TokenKind, type Context, type Template } from 'liquidjs';
import { budgetOf, TemplateLimit, weights } from './liquid-budget.ts';

const furthest = 1_000_000;
/** Not a name that a template can use. */
export const rangeFilter = '(range)';

interface RangeToken {
  kind: TokenKind;
  lhs: unknown;
  rhs: unknown;
}

/**
 * Makes all ranges of a parsed template go through `makeRange`, as if `(1..3)` were `1 | range: 3`. The engine's own
 * ranges never end from 2^53 on, where adding one has no effect, and are charged for memory only.
 */
export function countRanges(templates: Template[]): Template[] {
  const seen = new Set<unknown>();
  const left: unknown[] = [templates];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    for (const [name, value] of Object.entries(part)) if (name !== 'liquid') left.push(value);
    if ((part as RangeToken).kind === TokenKind.Range) replace(part as RangeToken);
  }
  return templates;
}

function replace(range: RangeToken): void {
  Object.assign(range, {
    kind: TokenKind.FilteredValue,
    initial: new Expression([range.lhs] as never),
    filters: [{ name: rangeFilter, args: [range.rhs] }],
  });
}

export function makeRange(context: Context, from: unknown, to: unknown): number[] {
  const [low, high] = [endOf(from), endOf(to)];
  const count = Math.max(0, high - low + 1);
  budgetOf(context).use(weights.filter + count * weights.item);
  return Array.from({ length: count }, (_, index) => low + index);
}

function endOf(value: unknown): number {
  const number = Array.isArray(value) ? 0 : Math.trunc(Number(value));
  if (Number.isNaN(number)) return 0;
  if (Math.abs(number) > furthest) throw new TemplateLimit(`a range goes at most to ${furthest}`);
  return number;
}
