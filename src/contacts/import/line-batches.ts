import type { CsvRow } from '../../protocol/csv/read-csv.ts';
import type { Refusal } from './import-schemas.ts';
import type { ContactLine } from './read-lines.ts';

/** Consecutive lines in which each contact occurs once. */
export interface LineBatch {
  /** Each with how many lines of the file come before the next one. */
  rows: { end: number; read: ContactLine | Refusal }[];
  end: number;
}

/** One transaction locks the consent chain of the instance for as long as so many lines take: about a tenth of a second. */
const batchLines = 500;

export async function* batchesOf(
  rows: AsyncIterable<CsvRow>,
  read: (row: CsvRow) => ContactLine | Refusal,
): AsyncGenerator<LineBatch> {
  let batch: LineBatch = { rows: [], end: 0 };
  let known = new Set<string>();
  let isHeader = true;
  for await (const row of rows) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const line = read(row);
    const isRepeated = 'email' in line && known.has(line.email);
    if (isRepeated || batch.rows.length === batchLines) {
      yield batch;
      batch = { rows: [], end: batch.end };
      known = new Set();
    }
    if ('email' in line) known.add(line.email);
    batch.end += 1;
    batch.rows.push({ end: batch.end, read: line });
  }
  if (batch.rows.length > 0) yield batch;
}

/** What is left of a batch when so many lines of the file are settled. */
export function linesAfter({ rows }: LineBatch, done: number): { lines: ContactLine[]; refused: Refusal[] } {
  const left = rows.filter(({ end }) => end > done).map(({ read }) => read);
  return {
    lines: left.filter((each): each is ContactLine => 'email' in each),
    refused: left.filter((each): each is Refusal => !('email' in each)),
  };
}
