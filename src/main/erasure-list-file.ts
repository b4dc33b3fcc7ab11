import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Job } from '../base/jobs/job.ts';
import { readIfPresent } from '../base/read-if-present.ts';
import { writeWholeFile } from '../base/write-whole-file.ts';
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
  return readErasureLines(readIfPresent(fileIn(data_dir)) ?? '');
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
      if (digest !== written && erasures.length > 0) await writeWholeFile(fileIn(data_dir), text);
      written = digest;
      return `${erasures.length} erasures`;
    },
  };
}
