export interface CsvRow {
  /** Of its first character, counted from 1. */
  line: number;
  cells: string[];
}

/** The sentence ends `The file …`. */
export class MalformedCsv extends Error {}

/** A row that grows beyond this has lost its closing quote. */
const max_row_characters = 64 * 1024;
const separators = [',', ';', '\t'];

/**
 * The rows of a file as it flows (RFC 4180): quoted cells, line ends of any system, a byte order mark. What separates
 * cells is what the first line has most of, since spreadsheets of half the world write semicolons. Blank lines are none.
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const reader = new RowReader();
  // Removes the mark, and puts U+FFFD in place of what is no UTF-8.
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield* reader.read(decoder.decode(chunk, { stream: true }));
  yield* reader.read(decoder.decode());
  yield* reader.end();
}

class RowReader {
  #separator: string | undefined;
  /** What was read and is not yet a whole row. */
  #pending = '';
  #line = 1;

  *read(text: string): Generator<CsvRow> {
    this.#pending += text;
    let from = 0;
    for (;;) {
      const end = endOfRow(this.#pending, { from, separator: this.#separator });
      if (end === undefined) break;
      yield* this.#row(this.#pending.slice(from, end.at), end.lines);
      from = end.next;
    }
    this.#pending = this.#pending.slice(from);
    this.#bound(this.#pending);
  }

  *end(): Generator<CsvRow> {
    const end = endOfRow(`${this.#pending}\n`, { from: 0, separator: this.#separator });
    if (end === undefined) throw new MalformedCsv(`has a quote that is never closed, at line ${this.#line}`);
    yield* this.#row(this.#pending.slice(0, end.at), end.lines);
  }

  #bound({ length }: string): void {
    if (length <= max_row_characters) return;
    throw new MalformedCsv(`has a row of more than ${max_row_characters} characters at line ${this.#line}`);
  }

  *#row(text: string, lines: number): Generator<CsvRow> {
    this.#bound(text);
    const line = this.#line;
    this.#line += lines;
    if (text.trim() === '') return;
    this.#separator ??= separatorOf(text);
    yield { line, cells: cellsOf(text, this.#separator) };
  }
}

/** Where the row that begins at `from` ends, outside of quotes; undefined when its end is not there yet. */
function endOfRow(
  text: string,
  { from, separator }: { from: number; separator: string | undefined },
): { at: number; next: number; lines: number } | undefined {
  let lines = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"' && (at === from || endsCell(text[at - 1], separator))) {
      const close = closingQuote(text, at);
      if (close === undefined) return undefined;
      lines += text.slice(at, close).split(/\r\n|\r|\n/).length - 1;
      at = close;
    } else if (text[at] === '\n') {
      return { at, next: at + 1, lines };
    } else if (text[at] === '\r') {
      // Whether a line feed follows may not be known yet.
      if (at + 1 === text.length) return undefined;
      return { at, next: at + (text[at + 1] === '\n' ? 2 : 1), lines };
    }
  }
  return undefined;
}

/** A quote begins a cell after this; elsewhere it is a character like any other. What separates is not known in the first row. */
function endsCell(character: string | undefined, separator: string | undefined): boolean {
  return separator === undefined ? separators.includes(character ?? '') : character === separator;
}

/** Where the quoted text that begins at `open` is closed; two quotes stand for one of its characters. */
function closingQuote(text: string, open: number): number | undefined {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (at + 1 === text.length) return undefined;
    if (text[at + 1] !== '"') return at;
  }
  return undefined;
}

function separatorOf(row: string): string {
  const counts = separators.map((separator) => row.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

function cellsOf(row: string, separator: string): string[] {
  const cells: string[] = [];
  // The end of the row closes what is open.
  const text = `${row}\n`;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"' && (at === 0 || endsCell(text[at - 1], separator)))
      at = (closingQuote(text, at) ?? at) + 1;
    if (at < row.length && text[at] !== separator) continue;
    cells.push(unquoted(text.slice(start, at).trim()));
    start = at + 1;
  }
  return cells;
}

function unquoted(cell: string): string {
  const isQuoted = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted ? cell.slice(1, -1).replaceAll('""', '"').trim() : cell;
}
