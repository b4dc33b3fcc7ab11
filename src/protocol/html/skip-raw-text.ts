/** Elements whose content is text, whatever it looks like (WHATWG HTML §13.2.5.2 to 4, §13.2.5.15). */
const elements = [
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
] as const;

export const rawTextElements: ReadonlySet<string> = new Set(elements);

const ends = new Map(
  elements.map((name) => [name as string, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]),
);

/** Where the end tag of an element stands whose content begins at `from`; -1 when nothing ends it. */
export function findRawTextEnd(html: string, name: string, from: number): number {
  if (name === 'plaintext') return -1;
  if (name === 'script') return findScriptEnd(html, from);
  return next(ends.get(name), html, from)?.index ?? -1;
}

function next(pattern: RegExp | undefined, html: string, from: number): RegExpExecArray | null {
  if (!pattern) return null;
  pattern.lastIndex = from;
  return pattern.exec(html);
}

const scriptMarks = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi;

/**
 * A script that wrote its own text into a comment may even hold a whole script element in it: within `<!--`, after a
 * `<script>`, the next `</script>` ends nothing (WHATWG HTML §13.2.5.20 to 31).
 */
function findScriptEnd(html: string, from: number): number {
  let isComment = false;
  let isNested = false;
  for (let mark = next(scriptMarks, html, from); mark; mark = scriptMarks.exec(html)) {
    const [text, closing] = mark;
    if (text === '<!--') {
      // The dashes that begin a comment may end it as well.
      scriptMarks.lastIndex = mark.index + 2;
      isComment = true;
    } else if (text === '-->') {
      isComment = false;
      isNested = false;
    } else if (closing !== '') {
      if (!isNested) return mark.index;
      isNested = false;
    } else if (isComment) {
      isNested = true;
    }
  }
  return -1;
}
