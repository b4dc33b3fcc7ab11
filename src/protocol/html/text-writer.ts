const usualColumns = 78;
const spaces = /[ \t\n\f\r\u00a0\u200b]+/g;
/** White space that is not one space by itself. */
const odd = /[\t\n\f\r\u00a0\u200b]| {2}/;

/** Writes text in lines of at most 78 columns, or as many as told, as far as its words are no longer. */
export class TextWriter {
  readonly #columns: number;
  readonly #lines: string[] = [];
  #line = '';
  /** Whether anything stands in the line but its indentation. */
  #isEmpty = true;
  /** Whether white space comes before the next word. */
  #isApart = false;
  /** Line ends that the next word begins with. */
  #breaks = 0;
  #indent = '';
  /** What the next line begins with in place of its indentation, and by how much those after it are moved. */
  #mark = '';
  #hang = '';
  /** Kept apart: cut from lines that do not end, it would take quadratic time. */
  #span: string | undefined;

  constructor(columns = usualColumns) {
    this.#columns = columns;
  }

  /** Begins to record what is written, until the end of the line. */
  beginSpan(): void {
    this.#span = '';
  }

  /** What was recorded; empty when the line has ended since. */
  get span(): string {
    return this.#span?.trim() ?? '';
  }

  /** Whether white space came last. */
  get is_apart(): boolean {
    return this.#isApart;
  }

  indent(text: string): void {
    this.#indent = text;
    this.#hang = '';
  }

  /** Begins an item of a list. */
  mark(text: string): void {
    this.#mark = text;
    this.#hang = ' '.repeat(text.length);
  }

  /** What comes next begins a line: the next one, or the one after that. */
  block(lines: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, lines);
    this.#isApart = false;
  }

  lineBreak(): void {
    if (this.#breaks > 0) {
      // A line of its own: editors write blank lines as `<div><br></div>`.
      this.#breaks = 2;
      return;
    }
    this.#endLine();
    this.#isApart = false;
  }

  words(text: string): void {
    const single = odd.test(text) ? text.replaceAll(spaces, ' ') : text;
    if (single.startsWith(' ')) this.#isApart = true;
    const words = single.trim();
    if (words === '') return;
    this.#begin();
    this.#fill(this.#isApart && !this.#isEmpty ? ` ${words}` : words);
    this.#isEmpty = false;
    this.#isApart = single.endsWith(' ');
  }

  /** Text whose lines stay as they are. */
  lines(text: string): void {
    for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
      if (index > 0) this.lineBreak();
      if (line === '') continue;
      this.#begin();
      this.#append(line);
      this.#isEmpty = false;
    }
  }

  end(): string {
    this.#lines.push(this.#line);
    return this.#lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim();
  }

  /** Writes words with single spaces between them, in as many lines as they take. */
  #fill(words: string): void {
    let rest = words;
    for (;;) {
      const room = this.#columns - this.#line.length;
      if (rest.length <= room) break;
      // The last space within the line; for a word that is too long, the one after it.
      const last = rest.lastIndexOf(' ', Math.max(room, 0));
      const cut = last > 0 || (last === 0 && !this.#isEmpty) ? last : rest.indexOf(' ', 1);
      if (cut < 0) break;
      this.#append(rest.slice(0, cut));
      this.#endLine();
      this.#begin();
      rest = rest.slice(cut + 1);
    }
    this.#append(rest);
  }

  #append(text: string): void {
    this.#line += text;
    if (this.#span !== undefined) this.#span += text;
  }

  /** Ends lines as asked for, and writes what the new one begins with. */
  #begin(): void {
    if (this.#breaks > 0 && (this.#lines.length > 0 || !this.#isEmpty)) {
      if (!this.#isEmpty) this.#endLine();
      if (this.#breaks > 1 && this.#lines.at(-1)?.trim() !== '') this.#lines.push('');
    }
    this.#breaks = 0;
    if (this.#isEmpty && this.#line === '') this.#line = this.#indent + (this.#mark || this.#hang);
    this.#mark = '';
  }

  #endLine(): void {
    this.#lines.push(this.#line);
    this.#line = '';
    this.#isEmpty = true;
    this.#span = undefined;
  }
}
