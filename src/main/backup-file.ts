import { open, rename, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ArchiveWriter, type Sink } from '../base/db/backup/archive-writer.ts';

/** Standard output, for a pipe to another machine. */
export const toStandardOutput: Sink = async (bytes) => {
  await promisify((done: (error?: Error | null) => void) => process.stdout.write(bytes, done))();
};

export async function requireNoFile(file: string): Promise<void> {
  const isThere = await stat(file).catch(() => undefined);
  if (isThere) throw new Error(`${file} is there already: nothing was changed.`);
}

/** Writes a file that only its owner can read; it has its name only once it is complete and on disk. */
export async function writeFileWhole<T>(
  file: string,
  work: (writer: ArchiveWriter) => Promise<T>,
): Promise<T> {
  const unfinished = `${file}.unfinished-${process.pid}`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    const result = await work(new ArchiveWriter(async (bytes) => await handle.writeFile(bytes)));
    await handle.sync();
    await handle.close();
    await rename(unfinished, file);
    return result;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}
