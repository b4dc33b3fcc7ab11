import { statfs } from 'node:fs/promises';
import type { Config } from '../../base/config.ts';
import { CheckFailure } from '../../installation/check.ts';

const gigabyte = 2 ** 30;

/** The volume of the data folder; the disk of an external database is its server's matter. */
export async function checkDisk({ data_dir }: Config): Promise<string> {
  const { bavail, blocks, bsize } = await statfs(data_dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return { bavail: 0, blocks: 0, bsize: 0 };
    throw error;
  });
  if (blocks === 0) return `${data_dir} is not there yet`;
  return describeSpace({ free: bavail * bsize, total: blocks * bsize });
}

/** A full disk stops accepting: below 1 GiB, or 5 % of a small volume, it is time to act. */
export function describeSpace({ free, total }: { free: number; total: number }): string {
  const percent = Math.floor((100 * free) / total);
  const text = `${(free / gigabyte).toFixed(1)} of ${(total / gigabyte).toFixed(1)} GiB free (${percent} %)`;
  if (free >= Math.max(gigabyte, Math.min(0.05 * total, 20 * gigabyte))) return text;
  throw new CheckFailure(
    text,
    'Make the volume of CHASQUI_DATA_DIR larger, or shorten the retention of instances.',
  );
}
