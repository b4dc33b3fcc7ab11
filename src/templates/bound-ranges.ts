import { Expression, TokenKind, type Template } from 'liquidjs';
import { TemplateLimit } from './liquid-budget.ts';

/** Beyond 2^53 adding one changes nothing, and the engine, which makes a range number by number, never gets to its end. */
const furthest = 1_000_000;
/** No name that a template could use. */
export const bound_filter = '(bound)';

interface Range {
  kind: TokenKind;
  lhs: object;
  rhs: object;
}

/** Has the ends of all ranges of a parsed template looked at before the range is made. */
export function boundRanges(templates: Template[]): Template[] {
  const seen = new Set<unknown>();
  const left: unknown[] = [templates];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    // Looked into before its ends are replaced: a range may be part of an end.
    for (const [name, value] of Object.entries(part)) if (name !== 'liquid') left.push(value);
    const range = part as Range;
    if (range.kind === TokenKind.Range)
      Object.assign(range, { lhs: bound(range.lhs), rhs: bound(range.rhs) });
  }
  return templates;
}

/** As if a filter had been written behind it. */
function bound(end: object): object {
  const filter = { name: bound_filter, args: [] };
  return { kind: TokenKind.FilteredValue, initial: new Expression([end] as never), filters: [filter] };
}

export function boundEnd(value: unknown): number {
  const number = Math.trunc(Number(value));
  if (Math.abs(number) <= furthest) return number;
  if (Number.isNaN(number)) return 0;
  throw new TemplateLimit(`a range goes at most to ${furthest}`);
}
