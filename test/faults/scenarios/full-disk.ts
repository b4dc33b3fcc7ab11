import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../support/wait-for.ts';
import type { FaultBed } from '../bed/fault-bed.ts';
import { becomesQuiet, examine, healWithinMs, healedAfter } from '../bed/findings.ts';
import { startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';
import { mountSmallDisk, noSmallDisk } from '../bed/small-disk.ts';
import { untilUnready } from './read-only.ts';

/** Tables on a disk of their own that fills up. The log of PostgreSQL is elsewhere: without it the server would end. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  about: 'the disk with the tables full for a while, and then not',
  options: { nodes: 2, megabytes: 160, held: 20, per_second: 60 },
  short: { nodes: 1, megabytes: 80, held: 2 },
  needs_server: true,
  unavailable: noSmallDisk,
  async play({ open, after, rounds, options: { nodes = 1, megabytes = 1, held = 1, per_second = 1 }, note }) {
    const disk = await mountSmallDisk(megabytes);
    after(disk.unmount);
    const bed = await open({ tablespace: disk.folder });
    bed.html = `<p>${'Mail that takes room. '.repeat(400)}</p>`;
    for (let count = 0; count < nodes; count += 1) await bed.startNode('api,submission,delivery,jobs');
    const load = startLoad(bed, { nodes: bed.nodes, per_second });
    await healedAfter(bed, Date.now(), bed.nodes);
    const problems: string[] = [];
    let healed_ms = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const ballast = await disk.fill();
      await refuses(bed);
      const since = Date.now();
      problems.push(...(await untilUnready(bed)));
      await sleep(Math.max(0, since + held * 1_000 - Date.now()));
      await rm(ballast);
      const ms = await healedAfter(bed, Date.now(), bed.nodes);
      healed_ms = Math.max(healed_ms, ms);
      note(`round ${round}: works again after ${ms} ms`);
    }
    await load.stop();
    await becomesQuiet(bed, 2 * healWithinMs);
    return { findings: await examine(bed, healed_ms), problems };
  },
};

/** What has room left in it takes a while to fill up. */
async function refuses({ ledger }: FaultBed): Promise<void> {
  const refused = (): number => [...ledger.sent.values()].filter(({ answer }) => answer === 'refused').length;
  const before = refused();
  await waitFor(() => refused() > before, { timeout_ms: 60_000, what: 'the first send to be refused' });
}
