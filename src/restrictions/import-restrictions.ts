import type { Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { MalformedCsv, readCsv, type CsvRow } from '../protocol/csv/read-csv.ts';
import { maxDetailCharacters, restrictionReasons } from './suppression.ts';
import type { ImportReport } from './suppression-schemas.ts';

/** Beyond this many the file itself is wrong, and nothing is imported. */
export const maxRefusedLines = 10_000;
const batchRows = 1_000;
const longestTold = 254;

export interface RestrictionRow {
  recipient: string;
  reason: (typeof restrictionReasons)[number];
  detail: string | null;
}

export type Refusal = ImportReport['refused'][number];

/**
 * Streams a CSV file, a thousand rows per statement. Columns are identified by the header row; without one, addresses
 * are in the first column.
 */
export async function importRestrictions(
  tx: Queryable,
  instanceId: number,
  { file, actor }: { file: AsyncIterable<Uint8Array>; actor: Actor },
): Promise<ImportReport> {
  return await importRows(tx, instanceId, { rows: readRows(file), actor });
}

/** Likewise, of rows that were read elsewhere. */
export async function importRows(
  tx: Queryable,
  instanceId: number,
  { rows, actor }: { rows: AsyncIterable<RestrictionRow | Refusal>; actor: Actor },
): Promise<ImportReport> {
  const report: ImportReport = { rows: 0, added: 0, already_restricted: 0, refused: [] };
  const gathered: RestrictionRow[] = [];
  const write = async (): Promise<void> => {
    const batch = gathered.splice(0);
    const added = await insertRows(tx, instanceId, batch);
    report.added += added;
    report.already_restricted += batch.length - added;
  };
  try {
    for await (const outcome of rows) {
      report.rows += 1;
      if ('line' in outcome) report.refused.push(outcome);
      else gathered.push(outcome);
      if (report.refused.length > maxRefusedLines) throw new MalformedCsv(tooManyRefused(report.refused));
      if (gathered.length === batchRows) await write();
    }
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error;
    const message = `The file ${error.message}; nothing was imported`;
    throw validationProblem([{ pointer: '/file', code: 'value_error.csv', message }]);
  }
  await write();
  const { refused, ...counts } = report;
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action: 'mail_restriction.imported',
    object: { kind: 'mail_restriction' },
    details: { ...counts, refused: refused.length },
  });
  return report;
}

function tooManyRefused([first]: Refusal[]): string {
  return `has more than ${maxRefusedLines} lines without a valid address, the first of them line ${first?.line}`;
}

async function insertRows(tx: Queryable, instanceId: number, rows: RestrictionRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const inserted = await tx.query(
    `insert into restrictions (instance_id, recipient, reason, detail)
     select $1, * from unnest($2::text[], $3::text[], $4::text[])
     on conflict (instance_id, recipient_key) do nothing returning id`,
    [
      instanceId,
      rows.map(({ recipient }) => recipient),
      rows.map(({ reason }) => reason),
      rows.map(({ detail }) => detail),
    ],
  );
  return inserted.length;
}

const names = {
  recipient: ['recipient', 'email', 'email_address', 'email address', 'e-mail', 'address', 'correo'],
  reason: ['reason', 'motivo'],
  detail: ['detail', 'note', 'comment', 'detalle', 'nota', 'comentario'],
};

interface Columns {
  recipient: number;
  reason: number;
  detail: number;
}

async function* readRows(file: AsyncIterable<Uint8Array>): AsyncGenerator<RestrictionRow | Refusal> {
  let columns: Columns | undefined;
  for await (const row of readCsv(file)) {
    if (columns) {
      yield readRow(row, columns);
      continue;
    }
    const named = namedColumns(row);
    columns = named ?? { recipient: 0, reason: -1, detail: -1 };
    if (!named) yield readRow(row, columns);
  }
}

/** Undefined when the first row is not a header. */
function namedColumns({ cells }: CsvRow): Columns | undefined {
  const lower = cells.map((cell) => cell.toLowerCase());
  const find = (wanted: string[]): number => lower.findIndex((cell) => wanted.includes(cell));
  const columns = {
    recipient: find(names.recipient),
    reason: find(names.reason),
    detail: find(names.detail),
  };
  return columns.recipient === -1 ? undefined : columns;
}

function readRow({ line, cells }: CsvRow, columns: Columns): RestrictionRow | Refusal {
  return restrictionRow({
    line,
    address: cells[columns.recipient] ?? '',
    reason: cells[columns.reason],
    detail: cells[columns.detail],
  });
}

interface Given {
  line: number;
  address: string;
  reason: string | undefined;
  detail: string | undefined;
}

/** A row of a file, or why it is refused. */
export function restrictionRow({
  line,
  address: given,
  reason: word,
  detail,
}: Given): RestrictionRow | Refusal {
  const refuse = (why: Refusal['reason']): Refusal => ({
    line,
    value: given.slice(0, longestTold).toWellFormed(),
    reason: why,
  });
  // U+FFFD marks bytes that are not UTF-8.
  const address = given.includes('\u{fffd}') ? undefined : canonicalAddress(given)?.address;
  if (address === undefined) return refuse('invalid_email');
  const wanted = word?.toLowerCase() || 'manual';
  const reason = restrictionReasons.find((each) => each === wanted);
  if (!reason) return refuse('unknown_reason');
  return { recipient: address, reason, detail: boundedText(detail, maxDetailCharacters) };
}
