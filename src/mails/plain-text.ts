import { compile } from 'html-to-text';

/** Headings keep their case: a placeholder in capitals would be another placeholder. */
const heading = { options: { uppercase: false } };
const convert = compile({
  wordwrap: 78,
  limits: { maxInputLength: 8 * 1024 * 1024 },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
    { selector: 'table', ...heading },
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
  ],
});

/** The plain-text alternative of a message that came with HTML alone. */
export function plainTextOf(html: string): string {
  return convert(html).trim();
}
