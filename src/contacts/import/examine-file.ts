import { createHash } from 'node:crypto';
import type { Queryable } from '../../base/db/database.ts';
import { validationProblem } from '../../base/errors/problem.ts';
import { MalformedCsv, readCsv } from '../../protocol/csv/read-csv.ts';
import { importableFields } from '../../forms/index.ts';
import { type FileColumns, readColumns } from './file-columns.ts';

/** A file that can be read more than once. */
export interface ContactFile {
  name: string | null;
  open: () => AsyncIterable<Uint8Array>;
}

export interface ExaminedFile {
  sha256: Buffer;
  bytes: number;
  /** With contacts: without the header and blank lines. */
  lines: number;
  columns: FileColumns;
}

/** Reads the file once before anything is stored, so that a file that is not CSV imports nothing. */
export async function examineFile(
  db: Queryable,
  instanceId: number,
  file: ContactFile,
): Promise<ExaminedFile> {
  const fields = await importableFields(db, instanceId);
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  let columns: FileColumns | undefined;
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const piece of file.open()) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  try {
    for await (const { cells } of readCsv(hashed())) {
      if (columns) lines += 1;
      else columns = readColumns(cells, fields) ?? withoutEmail();
    }
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error;
    throw refusedFile(`The file ${error.message}; nothing was imported`);
  }
  return { sha256: hash.digest(), bytes, lines, columns: columns ?? withoutEmail() };
}

function withoutEmail(): never {
  throw refusedFile('The file does not begin with the names of its columns, one of them email');
}

function refusedFile(message: string): Error {
  return validationProblem([{ pointer: '/file', code: 'value_error.csv', message }]);
}
