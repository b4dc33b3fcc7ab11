export interface CsvBatch {
  csv: string;
  rows: number;
  /** Lines of the header that was put before it; none before the first batch. */
  header_lines: number;
  /** Lines of the file before its own. */
  lines_before: number;
}

/**
 * Cuts a CSV file between rows, never inside of quotes. What has no @ in its first row has names of columns there: they
 * are repeated before each further batch.
 */
export function splitCsv(text: string, rowsPerBatch: number): CsvBatch[] {
  const rows = rowsOf(text);
  const [first] = rows;
  const header = first !== undefined && !first.text.includes('@') ? first.text : '';
  const batches: CsvBatch[] = [];
  for (let at = 0; at < rows.length; at += rowsPerBatch) {
    const own = rows.slice(at, at + rowsPerBatch);
    const repeated = at === 0 ? '' : header;
    batches.push({
      csv: repeated + own.map((row) => row.text).join(''),
      rows: own.length,
      header_lines: linesOf(repeated),
      lines_before: own[0]?.line ?? 0,
    });
  }
  return batches;
}

/** A cell in quotes, which begins where a cell does and may hold ends of lines, or the end of a line. */
const quotedOrEnd = /(?<=^|[,;\t\r\n])"[^"]*(?:""[^"]*)*(?:"|$)|\r\n|\n|\r/g;

/** Each with the end of its line, and how many lines come before it. */
function rowsOf(text: string): { text: string; line: number }[] {
  const rows: { text: string; line: number }[] = [];
  let start = 0;
  let line = 0;
  const end = (at: number): void => {
    const row = text.slice(start, at);
    rows.push({ text: row, line });
    line += linesOf(row);
    start = at;
  };
  for (const { 0: found, index } of text.matchAll(quotedOrEnd)) {
    if (!found.startsWith('"')) end(index + found.length);
  }
  if (start < text.length) end(text.length);
  return rows;
}

function linesOf(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
