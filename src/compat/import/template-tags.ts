/** Of Mustachio, Handlebars and Resend's placeholders. */
export interface TemplateTag {
  line: number;
  /** As it stands in the source. */
  written: string;
  /** What stands between the braces. */
  text: string;
  /** Three braces or `&`. */
  isRaw: boolean;
  /** Nothing but blanks stands beside it on its line. */
  isAlone: boolean;
}

interface Literal {
  line: number;
  literal: string;
}

/** The literal text and the tags of a source. Comments are left out. A tag without its end reaches to the end of the source. */
export function* readTags(source: string): Generator<Literal | TemplateTag> {
  let at = 0;
  let line = 1;
  while (at < source.length) {
    const open = source.indexOf('{{', at);
    const literal = source.slice(at, open === -1 ? source.length : open);
    if (literal !== '') yield { line, literal };
    if (open === -1) return;
    line += newlines(literal);
    const [opening, closing] = delimiters(source, open);
    const close = source.indexOf(closing, open + opening.length);
    const end = close === -1 ? source.length : close + closing.length;
    const written = source.slice(open, end);
    const inner = close === -1 ? written : source.slice(open + opening.length, close);
    const isAlone = isBlankBefore(source, open) && isBlankAfter(source, end);
    const text = inner.trim();
    const isRaw = opening === '{{{' || text.startsWith('&');
    yield { line, written, isRaw, isAlone, text: opening === '{{!--' ? '!' : text.replace(/^&\s*/, '') };
    line += newlines(written);
    at = end;
  }
}

function delimiters(source: string, open: number): [string, string] {
  if (source.startsWith('{{!--', open)) return ['{{!--', '--}}'];
  return source.startsWith('{{{', open) ? ['{{{', '}}}'] : ['{{', '}}'];
}

const newlines = (text: string): number => text.split('\n').length - 1;

function isBlankBefore(source: string, at: number): boolean {
  let before = at - 1;
  while (isBlank(source[before])) before -= 1;
  return before < 0 || source[before] === '\n';
}

function isBlankAfter(source: string, at: number): boolean {
  let after = at;
  while (isBlank(source[after])) after += 1;
  return after >= source.length || source[after] === '\n';
}

const isBlank = (character: string | undefined): boolean =>
  character === ' ' || character === '\t' || character === '\r';
