/** What a tag says as far as links are concerned. */
export interface Tag {
  /** Just after its `>`; -1 when the text ends within it, which makes it no tag at all. */
  end: number;
  is_self_closing: boolean;
  /** Where the value of the first `href` stands, without quotes; -1 without one. */
  href_start: number;
  href_end: number;
  has_opt_out: boolean;
}

const [tab, lf, ff, cr, space, quote, apostrophe, slash, equals, greater] = [
  9, 10, 12, 13, 32, 34, 39, 47, 61, 62,
];

/** Line ends are read as LF before anything else is, so that CR is one too. */
function isSpace(code: number): boolean {
  return code === space || code === lf || code === cr || code === tab || code === ff;
}

/** Where the name that begins at `at` ends. */
export function tagNameEnd(html: string, at: number): number {
  let end = at;
  for (; end < html.length; end += 1) {
    const code = html.charCodeAt(end);
    if (code === greater || code === slash || isSpace(code)) break;
  }
  return end;
}

/**
 * Reads a tag from the end of its name (WHATWG HTML §13.2.5.32 and on): quotes count only as the first character of
 * a value, and of attributes with one name the first does. `optOut` is the name, in lower case, of an attribute to
 * look out for; null where no attribute matters.
 */
export function readTag(html: string, nameEnd: number, optOut: string | null): Tag {
  const tag: Tag = { end: -1, is_self_closing: false, href_start: -1, href_end: -1, has_opt_out: false };
  const length = html.length;
  let at = nameEnd;
  while (at < length) {
    const code = html.charCodeAt(at);
    if (code === greater) {
      tag.end = at + 1;
      tag.is_self_closing = html.charCodeAt(at - 1) === slash && at > nameEnd;
      return tag;
    }
    at += 1;
    if (code === slash || isSpace(code)) continue;
    // A name may begin with "=", and then goes on to the next one.
    const start = at - 1;
    while (at < length && !endsName(html.charCodeAt(at))) at += 1;
    const end = at;
    while (at < length && isSpace(html.charCodeAt(at))) at += 1;
    const valueAt = html.charCodeAt(at) === equals ? skipSpaces(html, at + 1) : -1;
    const valueEnd = valueAt < 0 ? at : endOfValue(html, valueAt);
    if (valueEnd < 0) return tag;
    if (optOut !== null) notice(tag, html, { start, end, valueAt, valueEnd, optOut });
    at = valueAt < 0 ? at : afterValue(html, valueAt, valueEnd);
    // The slash of an unquoted value is part of it and closes nothing.
    if (valueAt >= 0 && html.charCodeAt(at) === greater) {
      tag.end = at + 1;
      return tag;
    }
  }
  return tag;
}

function endsName(code: number): boolean {
  return code === equals || code === greater || code === slash || isSpace(code);
}

function skipSpaces(html: string, from: number): number {
  let at = from;
  while (at < html.length && isSpace(html.charCodeAt(at))) at += 1;
  return at;
}

/** Where the value ends, its closing quote not counted; -1 when the text ends first. */
function endOfValue(html: string, at: number): number {
  const first = html.charCodeAt(at);
  if (first === quote) return html.indexOf('"', at + 1);
  if (first === apostrophe) return html.indexOf("'", at + 1);
  let end = at;
  while (end < html.length) {
    const code = html.charCodeAt(end);
    if (code === greater || isSpace(code)) return end;
    end += 1;
  }
  return -1;
}

function isQuoted(html: string, valueAt: number): boolean {
  const first = html.charCodeAt(valueAt);
  return first === quote || first === apostrophe;
}

function afterValue(html: string, valueAt: number, valueEnd: number): number {
  return isQuoted(html, valueAt) ? valueEnd + 1 : valueEnd;
}

interface Attribute {
  start: number;
  end: number;
  valueAt: number;
  valueEnd: number;
  optOut: string;
}

function notice(tag: Tag, html: string, { start, end, valueAt, valueEnd, optOut }: Attribute): void {
  const length = end - start;
  if (length === 4 && tag.href_start < 0 && html.slice(start, end).toLowerCase() === 'href') {
    // One without a value is the first of its name all the same, and leads nowhere.
    tag.href_start = valueAt < 0 ? end : valueAt + (isQuoted(html, valueAt) ? 1 : 0);
    tag.href_end = valueAt < 0 ? end : valueEnd;
  } else if (length === optOut.length && html.slice(start, end).toLowerCase() === optOut) {
    tag.has_opt_out = true;
  }
}
