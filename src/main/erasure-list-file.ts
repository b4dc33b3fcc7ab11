import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Job } from '../base/jobs/job.ts';
import {
  erasureLines,
  listErasures,
  readErasureLines,
  type ListedErasure,
} from '../restrictions/erasure-list.ts';

const fileIn = (data_dir: string): string => path.join(data_dir, 'erasures.jsonl');

/** The list of erasures that lies in the data folder, or another one; empty when there is none. */
export async function readErasureList(file: string | undefined, data_dir: string): Promise<ListedErasure[]> {
  if (file !== undefined) return readErasureLines(await readFile(file, 'utf8'));
  const text = await readFile(fileIn(data_dir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return readErasureLines(text);
}

export const list_rhythm = { name: 'rights_list', every_ms: 60_000 } as const;

/** Keeps the list beside the database, so that a restore of an older backup finds it. */
export function erasureListJob(data_dir: string): Job {
  let written = '';
  return {
    ...list_rhythm,
    async run({ db }) {
      const erasures = await listErasures(db);
      const text = erasureLines(erasures);
      const digest = createHash('sha256').update(text).digest('hex');
      if (digest !== written && erasures.length > 0) {
        const file = fileIn(data_dir);
        await writeFile(`${file}.new`, text, { mode: 0o600 });
        await rename(`${file}.new`, file);
      }
      written = digest;
      return `${erasures.length} erasures`;
    },
  };
}
