import type { Violation } from '../base/errors/problem.ts';

/** Parsing takes quadratic time beyond some thousands: 27 ms for 5,000 tags, 1.7 s for 50,000. */
const max_tags = 5_000;
const max_nesting = 50;

/** Work of one rendering, in the units of `Budget`: a quarter of a second of processor time at the most. */
export const render_units = 10_000_000;
/** Half of it, so that what was saved has room left for recipients with longer names. */
export const trial_units = 5_000_000;
/** Text that a template may add to its own length. */
export const max_added_length = 1024 * 1024;

const blocks: ReadonlySet<string> = new Set(['capture', 'case', 'for', 'if', 'unless']);

/** What a parser that calls itself would take too long for, or too deep. */
export function validateLimits(pointer: string, source: string): Violation[] {
  const tags = countTags(source);
  if (tags > max_tags) {
    const message = `There are ${tags} Liquid tags; there can be at most ${max_tags}`;
    return [{ pointer, code: 'value_error.liquid', message, params: { max_tags } }];
  }
  let depth = 0;
  let until = '';
  for (const { 1: name = '', index } of source.matchAll(/\{%-?\s*(\w*)/g)) {
    if (until !== '' && name !== until) continue;
    until = name === 'raw' || name === 'comment' ? `end${name}` : '';
    if (blocks.has(name)) depth += 1;
    else if (blocks.has(name.replace(/^end/, ''))) depth -= 1;
    if (depth <= max_nesting) continue;
    const line = source.slice(0, index).split('\n').length;
    const message = `Line ${line}: blocks can be nested at most ${max_nesting} deep`;
    return [{ pointer, code: 'value_error.liquid', message, params: { line, max_nesting } }];
  }
  return [];
}

function countTags(source: string): number {
  return source.match(/\{[{%]/g)?.length ?? 0;
}

const max_small_length = 100_000;
const max_small_tags = 100;

/** Whether it is parsed and rendered where it is needed, without a process: 5 ms at the most, and only once. */
export function isSmall(source: string): boolean {
  return source.length <= max_small_length && countTags(source) <= max_small_tags;
}

/** Work of a small one: 0.7 ms at the most. */
export function smallUnits(length: number): number {
  return Math.min(50_000, 5_000 + 20 * length);
}
