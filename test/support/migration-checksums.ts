import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readMigrations } from '../../src/base/db/migrations.ts';

const folder = path.resolve(import.meta.dirname, '../../migrations');
/** In the format of `sha256sum`, so that `sha256sum -c checksums.txt` judges the files too. */
export const checksumsFile = 'migrations/checksums.txt';

/** Lines for the files that have none yet, after those that are there: a line that is there is never changed. */
export async function checksumsText(): Promise<string> {
  const kept = await readFile(path.join(folder, 'checksums.txt'), 'utf8').catch(() => '');
  const listed = new Set(linesOf(kept).map((line) => line.split('  ')[1]));
  const added = (await readMigrations(folder)).filter(({ name }) => !listed.has(name));
  return kept + added.map(({ name, checksum }) => `${checksum}  ${name}\n`).join('');
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

/** What the file must be for the migrations that are there, in the order of their numbers. */
export async function expectedLines(): Promise<string[]> {
  return (await readMigrations(folder)).map(({ name, checksum }) => `${checksum}  ${name}`);
}
