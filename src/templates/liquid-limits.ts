import type { Violation } from '../base/errors/problem.ts';

/** Parsing is quadratic: 27 ms for 5,000 tags, 1.7 s for 50,000. */
const max_tags = 5_000;
const max_nesting = 50;

/** Units of one rendering: at most a quarter of a second of CPU time. */
export const renderUnits = 10_000_000;
/** Half, so that a saved template still fits for recipients with longer names. */
export const trialUnits = 5_000_000;
/** Text that a template may add to its own length. */
export const maxAddedLength = 1024 * 1024;

const blocks: ReadonlySet<string> = new Set(['capture', 'case', 'for', 'if', 'unless']);

/** Bounds the recursion and time of the parser. */
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

const maxSmallLength = 100_000;
const maxSmallTags = 100;
/** Within one tag, and within all: one of 98 KB took 0.6 s to parse, and 40 ms for each recipient to render. */
const maxSmallTagLength = 500;
const maxSmallMarkupLength = 10_000;

/** Whether it may be parsed and rendered in this process: at most 5 ms, once. */
export function isSmall(source: string): boolean {
  if (source.length > maxSmallLength || countTags(source) > maxSmallTags) return false;
  let left = maxSmallMarkupLength;
  let end = 0;
  for (const { 0: opening, index } of source.matchAll(/\{[{%]/g)) {
    if (index < end) continue;
    const closing = source.indexOf(opening === '{{' ? '}}' : '%}', index);
    end = closing === -1 ? source.length : closing;
    left -= end - index;
    if (left < 0 || end - index > maxSmallTagLength || isQuoting(source.slice(index, end))) return false;
  }
  return true;
}

/** Whether the end of a tag may be a part of a text in quotes, so that the tag goes on. */
function isQuoting(tag: string): boolean {
  return tag.includes('\\') || /["']/.test(tag.replaceAll(/"[^"]*"|'[^']*'/g, ''));
}

/** Units of a small template: at most 0.7 ms. */
export function smallUnits(length: number): number {
  return Math.min(50_000, 5_000 + 20 * length);
}
