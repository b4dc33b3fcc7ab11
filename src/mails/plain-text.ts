import { readTextOf } from '../protocol/html/read-text.ts';
import { stripTags } from '../protocol/mime/strip-tags.ts';

/** By how much the text may be longer than the HTML, whose nested quotes and lists it would else multiply. */
const most_added = 1_000;

/** The plain-text alternative of a message that came with HTML alone; never much longer than that. */
export function plainTextOf(html: string): string {
  const text = readTextOf(html);
  return text.length > html.length + most_added ? stripTags(html) : text;
}
