import { readTextOf } from './read-text.ts';
import { stripTags } from '../mime/strip-tags.ts';

/** How much longer than the HTML the text may get: nested quotes and lists would multiply it. */
const maxAdded = 1_000;

/** The plain-text alternative of a message with HTML only. */
export function plainTextOf(html: string): string {
  const text = readTextOf(html);
  return text.length > html.length + maxAdded ? stripTags(html) : text;
}
