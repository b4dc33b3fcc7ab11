import type { ContactHashes } from '../../base/contact-hash.ts';
import type { Actor } from '../../audit/index.ts';
import type { Evidence } from '../../consent/index.ts';
import { readCsv } from '../../protocol/csv/read-csv.ts';
import type { ContactFile, ExaminedFile } from './examine-file.ts';
import type { NewContactImport, Refusal } from './import-schemas.ts';
import type { Provenance } from './imports.ts';
import { batchesOf, type LineBatch } from './line-batches.ts';
import { readLine } from './read-lines.ts';
import type { Settling } from './settle-lines.ts';

export interface Importing {
  file: ContactFile;
  asked: Omit<NewContactImport, 'csv'>;
  actor: Actor;
  /** Of who imports. */
  evidence: Evidence;
  on_progress?: (done: number, total: number) => void;
}

export interface Run extends Importing {
  examined: ExaminedFile;
  provenance: Provenance;
  hashes: ContactHashes;
  now: Date;
}

export function batchesOfFile({ file, examined, provenance, now }: Run): AsyncGenerator<LineBatch> {
  const reading = { columns: examined.columns, consented_at: provenance.consented_at, now };
  return batchesOf(readCsv(file.open()), (row) => readLine(row, reading));
}

export function settlingOf(
  { evidence, examined, provenance, hashes, now }: Run,
  id: number | undefined,
): Settling {
  const { origin, term } = provenance;
  const file_sha256 = examined.sha256.toString('hex');
  const import_id = id === undefined ? {} : { import_id: String(id) };
  return {
    import_id: id,
    term,
    hashes,
    at: now,
    evidence: { ...evidence, ...import_id, file_sha256, origin },
  };
}

export const inOrder = (refused: Refusal[]): Refusal[] => refused.toSorted((a, b) => a.line - b.line);
