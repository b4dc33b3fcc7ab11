import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Job } from '../base/jobs/job.ts';
import { readIfPresent } from '../base/read-if-present.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';
import {
  erasureLines,
  listErasures,
  readErasureLines,
  type ListedErasure,
} from '../restrictions/erasure-list.ts';

const fileIn = (data_dir: string): string => path.join(data_dir, 'erasures.jsonl');

/** The list of erasures in the data folder, or another one; undefined if it does not exist. */
export async function readErasureList(
  file: string | undefined,
  data_dir: string,
): Promise<ListedErasure[] | undefined> {
  const text = file === undefined ? readIfPresent(fileIn(data_dir)) : await readFile(file, 'utf8');
  return text === undefined ? undefined : readErasureLines(text);
}

export const listSchedule = { name: 'rights_list', every_ms: 60_000 } as const;

/**
 * Keeps the list beside the database, so that a restore of an older backup finds it. It never loses a line: a database that came
 * back older, whichever way, does not know whom it has to erase again.
 */
export function erasureListJob(data_dir: string): Job {
  let written = '';
  return {
    ...listSchedule,
    async run({ db }) {
      const erasures = await listErasures(db);
      const digest = createHash('sha256').update(erasureLines(erasures)).digest('hex');
      if (digest !== written && erasures.length > 0) {
        const all = union(erasures, (await readErasureList(undefined, data_dir)) ?? []);
        await mkdir(data_dir, { recursive: true, mode: 0o700 });
        await writeFileAtomic(fileIn(data_dir), erasureLines(all));
      }
      written = digest;
      return `${erasures.length} erasures`;
    },
  };
}

/** Of a person who was erased, came back and was erased again the newest erasure counts. */
function union(known: ListedErasure[], listed: ListedErasure[]): ListedErasure[] {
  const newest = new Map<string, ListedErasure>();
  for (const erasure of [...listed, ...known].toSorted((a, b) => a.since.getTime() - b.since.getTime())) {
    newest.set(`${erasure.instance} ${erasure.hash}`, erasure);
  }
  return [...newest.values()].toSorted((a, b) => a.since.getTime() - b.since.getTime());
}
