import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { parse as parseWhole } from 'csv-parse/sync';

export interface CsvRow {
  /** Of its first character, counted from 1. */
  line: number;
  cells: string[];
}

/** The sentence ends `The file …`. */
export class MalformedCsv extends Error {}

/** A row that grows beyond this has lost its closing quote. */
const maxRowBytes = 64 * 1024;
const separators = [',', ';', '\t'];
/** RFC 4180, with what spreadsheets write beyond it: a quote within a cell is a character like any other. */
const format: Options = {
  bom: true,
  relax_quotes: true,
  relax_column_count: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: maxRowBytes,
};

/**
 * The rows of a file as it flows, without blank lines. What separates cells is what the first row has most of, since
 * spreadsheets of half the world write semicolons.
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const source = chunks[Symbol.asyncIterator]();
  const head = await readHead(source);
  const separator = separatorOf(head);
  let line = 1;
  let nextLine = 2;
  const trimmed = (text: string): string => {
    nextLine += text.match(/\r\n|\r|\n/g)?.length ?? 0;
    const cell = text.trim();
    return cell === text ? cell : unquoted(cell);
  };
  const numbered = (cells: string[]): CsvRow => {
    const row = { line, cells };
    line = nextLine;
    nextLine += 1;
    return row;
  };
  // The types of csv-parse know no rows but those of text.
  const parser = parse({ ...format, delimiter: separator, cast: trimmed, on_record: numbered } as object);
  // The loop gets the error.
  pipeline(Readable.from(joined(head, source)), parser, () => undefined);
  try {
    for await (const row of parser as AsyncIterable<CsvRow>) {
      if (!isBlank(row.cells, separator)) yield row;
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(error, line) : error;
  }
}

/** As much as the longest row may have, or the whole file. */
async function readHead(source: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < maxRowBytes;) {
    const { done, value } = await source.next();
    if (done === true) break;
    chunks.push(value);
    length += value.length;
  }
  return Buffer.concat(chunks);
}

async function* joined(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Which one cuts the first row into the most cells. */
function separatorOf(head: Buffer): string {
  const counts = separators.map((delimiter) => {
    const unlessBlank = (cells: string[]): string[] | null => (isBlank(cells, delimiter) ? null : cells);
    try {
      return parseWhole(head, { ...format, delimiter, on_record: unlessBlank, to: 1 })[0]?.length ?? 0;
    } catch {
      // Reading the file fails too, and says at which line.
      return 0;
    }
  });
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

const isBlank = (cells: string[], separator: string): boolean => cells.join(separator).trim() === '';

/** For csv-parse, quotes with blanks before or after them are part of the cell. */
function unquoted(cell: string): string {
  const isQuoted = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted ? cell.slice(1, -1).trim() : cell;
}

function malformed(error: CsvError, line: number): MalformedCsv {
  const fault =
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? `has a row of more than ${maxRowBytes} bytes`
      : 'has a quote that is never closed,';
  return new MalformedCsv(`${fault} at line ${line}`, { cause: error });
}
