import { compile } from 'html-to-text';
import { stripTags } from '../protocol/mime/strip-tags.ts';

/** Beyond it the converter holds the process up for seconds: 100,000 nested elements took it nine, and then its stack. */
const longest_converted = 256 * 1024;
/** Elements inside each other; a mail laid out in tables has some dozens. */
const deepest = 200;
/** By how much the text may be longer than the HTML, whose rulers and nested quotes it would else multiply. */
const most_added = 1_000;

/** Headings keep their case: a placeholder in capitals would be another placeholder. */
const heading = { options: { uppercase: false } };
const convert = compile({
  wordwrap: 78,
  limits: { maxInputLength: longest_converted, maxDepth: deepest },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
    { selector: 'table', ...heading },
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
  ],
});

/** The plain-text alternative of a message that came with HTML alone; never much longer than that. */
export function plainTextOf(html: string): string {
  if (html.length > longest_converted) return stripTags(html);
  const text = convert(html).trim();
  return text.length > html.length + most_added ? stripTags(html) : text;
}
