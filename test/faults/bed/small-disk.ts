import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Why there cannot be one here. */
export function noSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'it mounts a tmpfs, which is for Linux';
  return process.getuid?.() === 0 ? undefined : 'it mounts a small disk, which takes root';
}

export interface SmallDisk {
  folder: string;
  /** Leaves no room on it; gives the file that took it. */
  fill: () => Promise<string>;
  unmount: () => Promise<void>;
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder]);
  const tables = path.join(folder, 'tables');
  execFileSync('mkdir', [tables]);
  await chmod(folder, 0o755);
  return {
    folder: tables,
    async fill() {
      const ballast = path.join(folder, 'ballast');
      const file = await openFile(ballast, 'w');
      const page = Buffer.alloc(4_096, 1);
      try {
        for (;;) await file.write(page);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      } finally {
        await file.close().catch(() => undefined);
      }
      return ballast;
    },
    async unmount() {
      execFileSync('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
