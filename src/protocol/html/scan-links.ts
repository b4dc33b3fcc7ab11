import { readAttributeValue } from './character-references.ts';
import { readTag, tagNameEnd } from './read-tag.ts';
import { findRawTextEnd, rawTextElements } from './skip-raw-text.ts';

/** The `href` of an `a` or `area`: where its value stands, without quotes, and what HTML reads there. */
export interface HtmlLink {
  start: number;
  end: number;
  url: string;
}

export interface ScannedHtml {
  /** In the order of the text. */
  links: HtmlLink[];
  /** Where more content can be put so that it is the last that shows: before the last `</body>`, else at the end. */
  body_end: number;
}

/** Names of tags that matter, by first letter and length: three of four tags are passed over without a look-up. */
const interesting = new Uint8Array(32 * 16);
const watched = ['a', 'area', 'math', 'svg', ...rawTextElements];
for (const name of watched) interesting[slotOf(name.charCodeAt(0), name.length)] = 1;

function slotOf(firstLetter: number, length: number): number {
  return ((firstLetter & 31) << 4) | (length & 15);
}

/** Start tags that end an `svg` or `math` they stand in (WHATWG HTML §13.2.6.5). */
const breakouts: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);

const commentEnd = /--!?>/g;

/**
 * Finds the links of a document in one pass, by the rules of the HTML tokenizer and with offsets only, so that
 * everything else can stay byte for byte. As a mail program reads it, without scripts. What is inside `svg` and `math`
 * is left out, and so are elements with the attribute `opt_out`. 20 KB with 30 links take about 50 µs, where a parser
 * takes 1,840.
 */
export function scanLinks(html: string, { opt_out }: { opt_out: string }): ScannedHtml {
  const scanner = new Scanner(html, opt_out);
  scanner.run();
  return { links: scanner.links, body_end: scanner.last_body_end ?? scanner.text_end };
}

class Scanner {
  readonly links: HtmlLink[] = [];
  last_body_end: number | undefined;
  /** Where ordinary text ends: before whatever the end of the document left open. */
  text_end: number;
  readonly #html: string;
  readonly #optOut: string;
  /** The `svg` or `math` we are in, and how many of them inside each other. */
  #foreign = { name: '', depth: 0 };

  constructor(html: string, optOut: string) {
    this.#html = html;
    this.#optOut = optOut;
    this.text_end = html.length;
  }

  run(): void {
    const html = this.#html;
    let at = html.indexOf('<');
    while (at !== -1) {
      const end = this.#markup(at);
      if (end < 0) {
        this.text_end = at;
        return;
      }
      at = html.indexOf('<', end);
    }
  }

  /** Reads what begins with the `<` at `at` and tells where it ends; -1 when it takes the rest of the document. */
  #markup(at: number): number {
    const html = this.#html;
    const code = html.charCodeAt(at + 1);
    if (isLetter(code)) return this.#startTag(at);
    if (code === 0x2f) return this.#endTag(at);
    if (code === 0x21) return this.#declaration(at);
    return code === 0x3f ? after(html.indexOf('>', at + 2), 1) : at + 1;
  }

  #startTag(at: number): number {
    const html = this.#html;
    const nameEnd = tagNameEnd(html, at + 1);
    const matters = interesting[slotOf(html.charCodeAt(at + 1), nameEnd - at - 1)] === 1;
    if (!matters && this.#foreign.depth === 0) return readTag(html, nameEnd, null).end;
    const name = html.slice(at + 1, nameEnd).toLowerCase();
    const isLink = name === 'a' || name === 'area';
    const tag = readTag(html, nameEnd, isLink ? this.#optOut : null);
    if (tag.end < 0) return -1;
    if (this.#foreign.depth > 0 && breakouts.has(name)) this.#foreign.depth = 0;
    if (this.#foreign.depth > 0) {
      if (name === this.#foreign.name && !tag.is_self_closing) this.#foreign.depth += 1;
    } else if (isLink) {
      if (tag.href_start < tag.href_end && !tag.has_opt_out) this.#link(tag.href_start, tag.href_end);
    } else if (name === 'svg' || name === 'math') {
      if (!tag.is_self_closing) this.#foreign = { name, depth: 1 };
    } else if (rawTextElements.has(name)) {
      return findRawTextEnd(html, name, tag.end);
    }
    return tag.end;
  }

  #link(start: number, end: number): void {
    const url = readAttributeValue(this.#html.slice(start, end));
    if (url !== undefined) this.links.push({ start, end, url });
  }

  #endTag(at: number): number {
    const html = this.#html;
    const first = html.charCodeAt(at + 2);
    if (!isLetter(first)) return Number.isNaN(first) ? -1 : after(html.indexOf('>', at + 2), 1);
    const nameEnd = tagNameEnd(html, at + 2);
    const { end } = readTag(html, nameEnd, null);
    if (end < 0) return -1;
    const length = nameEnd - at - 2;
    if (this.#foreign.depth > 0) this.#leaveForeign(html.slice(at + 2, nameEnd).toLowerCase());
    if (length === 4 && html.slice(at + 2, nameEnd).toLowerCase() === 'body') this.last_body_end = at;
    return end;
  }

  #leaveForeign(name: string): void {
    if (name === 'p' || name === 'br') this.#foreign.depth = 0;
    else if (name === this.#foreign.name) this.#foreign.depth -= 1;
  }

  /** Comments, conditional ones with all they hold, doctypes, and what is read as a comment for want of a meaning. */
  #declaration(at: number): number {
    const html = this.#html;
    if (html.startsWith('--', at + 2)) {
      if (html.startsWith('>', at + 4)) return at + 5;
      if (html.startsWith('->', at + 4)) return at + 6;
      commentEnd.lastIndex = at + 4;
      return commentEnd.test(html) ? commentEnd.lastIndex : -1;
    }
    if (this.#foreign.depth > 0 && html.startsWith('[CDATA[', at + 2)) {
      return after(html.indexOf(']]>', at + 9), 3);
    }
    return after(html.indexOf('>', at + 2), 1);
  }
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

function after(found: number, length: number): number {
  return found < 0 ? -1 : found + length;
}
