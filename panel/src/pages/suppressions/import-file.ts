import type { Operations } from '../../api/operations.ts';
import { splitCsv } from './split-csv.ts';

export type ImportReport = Operations['panel_import_restrictions']['result'];

const rowsPerBatch = 5_000;
/** Beyond it the file is not what it should be. */
const maxRefused = 10_000;

export interface Progress {
  /** From 0 to 1. */
  share: number;
  report: ImportReport;
}

/**
 * Sends a file in batches, so that it can be followed and given up. Lines that are refused have the numbers they have in
 * the file; addresses that were imported before an end stay restricted.
 */
export async function importFile(
  text: string,
  send: (csv: string) => Promise<ImportReport>,
  { onProgress, signal }: { onProgress: (progress: Progress) => void; signal: AbortSignal },
): Promise<ImportReport> {
  const batches = splitCsv(text, rowsPerBatch);
  const total = batches.reduce((sum, { rows }) => sum + rows, 0);
  const report: ImportReport = { rows: 0, added: 0, already_restricted: 0, refused: [] };
  let done = 0;
  for (const { csv, rows, header_lines, lines_before } of batches) {
    const answer = await send(csv);
    // A first row that was taken for column names by mistake was reported with the first batch.
    const own = answer.refused.filter(({ line }) => line > header_lines);
    report.rows += answer.rows - (answer.refused.length - own.length);
    report.added += answer.added;
    report.already_restricted += answer.already_restricted;
    report.refused.push(
      ...own.map(({ line, ...rest }) => ({ ...rest, line: line - header_lines + lines_before })),
    );
    done += rows;
    onProgress({ share: done / total, report: { ...report } });
    if (signal.aborted || report.refused.length > maxRefused) break;
  }
  return report;
}

/** The refused lines as a file to mend and import again. */
export function refusedAsCsv(refused: ImportReport['refused']): string {
  const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
  const rows = refused.map(({ line, value, reason }) => `${line},${quoted(value)},${reason}`);
  return ['line,value,problem', ...rows, ''].join('\r\n');
}
