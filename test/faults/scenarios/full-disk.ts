import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../support/wait-for.ts';
import type { FaultBed } from '../bed/fault-bed.ts';
import { becomesQuiet, examine, heal_within_ms, healedAfter } from '../bed/findings.ts';
import { startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';
import { untilUnready } from './read-only.ts';

/** Tables on a disk of their own that fills up. The log of PostgreSQL is elsewhere: without it the server would end. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  about: 'the disk with the tables full for a while, and then not',
  options: { nodes: 2, megabytes: 160, held: 20, per_second: 60 },
  short: { nodes: 1, megabytes: 80, held: 2 },
  needs_server: true,
  unavailable: () => {
    if (process.platform !== 'linux') return 'it mounts a tmpfs, which is for Linux';
    return process.getuid?.() === 0 ? undefined : 'it mounts a small disk, which takes root';
  },
  async play({ open, after, rounds, options: { nodes = 1, megabytes = 1, held = 1, per_second = 1 }, note }) {
    const disk = await mountDisk(megabytes);
    after(disk.unmount);
    const bed = await open({ tablespace: disk.folder });
    bed.html = `<p>${'Mail that takes room. '.repeat(400)}</p>`;
    for (let count = 0; count < nodes; count += 1) await bed.startNode('api,submission,delivery,jobs');
    const load = startLoad(bed, { nodes: bed.nodes, per_second });
    await healedAfter(bed, Date.now(), bed.nodes);
    const troubles: string[] = [];
    let healed_ms = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const ballast = await disk.fill();
      await refuses(bed);
      const since = Date.now();
      troubles.push(...(await untilUnready(bed)));
      await sleep(Math.max(0, since + held * 1_000 - Date.now()));
      await rm(ballast);
      const ms = await healedAfter(bed, Date.now(), bed.nodes);
      healed_ms = Math.max(healed_ms, ms);
      note(`round ${round}: works again after ${ms} ms`);
    }
    await load.stop();
    await becomesQuiet(bed, 2 * heal_within_ms);
    return { findings: await examine(bed, healed_ms), troubles };
  },
};

interface Disk {
  folder: string;
  /** Leaves no room on it; gives the file that took it. */
  fill: () => Promise<string>;
  unmount: () => Promise<void>;
}

async function mountDisk(megabytes: number): Promise<Disk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder]);
  const tables = path.join(folder, 'tables');
  execFileSync('mkdir', [tables]);
  await chmod(folder, 0o755);
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })),
  );
  await chown(tables, uid ?? 0, gid ?? 0);
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

/** What has room left in it takes a while to fill up. */
async function refuses({ ledger }: FaultBed): Promise<void> {
  const refused = (): number => [...ledger.sent.values()].filter(({ answer }) => answer === 'refused').length;
  const before = refused();
  await waitFor(() => refused() > before, { timeout_ms: 60_000, what: 'the first send to be refused' });
}
