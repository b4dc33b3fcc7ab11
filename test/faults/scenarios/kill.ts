import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultBed } from '../bed/fault-bed.ts';
import { becomesQuiet, examine, healedAfter } from '../bed/findings.ts';
import { startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';

const roles = 'api,submission,delivery,jobs';
const options = { nodes: 3, per_second: 60, longest_wait: 3 };

interface Killing {
  name: string;
  about: string;
  node: boolean;
  database: boolean;
  /** What a dead node held is taken up within two minutes; a living one goes on with what it has. */
  quiet_within_ms: number;
}

/** Kills at random; gives how long all nodes took to work again once what was killed is up. */
async function killAndStart(bed: FaultBed, { node, database }: Killing): Promise<number> {
  const victim = bed.nodes[Math.floor(Math.random() * bed.nodes.length)];
  await Promise.all([...(node ? [victim?.kill()] : []), ...(database ? [bed.database.kill()] : [])]);
  if (database) await bed.database.start();
  if (node) await victim?.start();
  return await healedAfter(bed, Date.now(), bed.nodes);
}

function killing(what: Killing): Scenario {
  return {
    name: what.name,
    about: what.about,
    rounds: 5,
    options,
    needs_server: true,
    async play({ open, rounds, options: { nodes = 1, per_second = 1, longest_wait = 1 }, note }) {
      const bed = await open();
      for (let count = 0; count < nodes; count += 1) await bed.startNode(roles);
      const http = startLoad(bed, { nodes: bed.nodes, per_second });
      const smtp = startLoad(bed, { nodes: bed.nodes, per_second: per_second / 6, over: 'smtp' });
      let healed_ms = 0;
      for (let round = 1; round <= rounds; round += 1) {
        await sleep(1_000 + Math.random() * longest_wait * 1_000);
        const ms = await killAndStart(bed, what);
        healed_ms = Math.max(healed_ms, ms);
        note(`round ${round}: works again after ${ms} ms`);
      }
      await Promise.all([http.stop(), smtp.stop()]);
      await becomesQuiet(bed, what.quiet_within_ms);
      return { findings: await examine(bed, healed_ms), troubles: [] };
    },
  };
}

export const killNode = killing({
  name: 'kill-node',
  about: 'kill -9 of one of three nodes under load, which is then started again',
  node: true,
  database: false,
  quiet_within_ms: 150_000,
});

export const killDatabase = killing({
  name: 'kill-database',
  about: 'kill -9 of PostgreSQL under load, which is then started again',
  node: false,
  database: true,
  quiet_within_ms: 30_000,
});

export const killBoth = killing({
  name: 'kill-both',
  about: 'kill -9 of PostgreSQL and of one of three nodes at once, which are then started again',
  node: true,
  database: true,
  quiet_within_ms: 150_000,
});
