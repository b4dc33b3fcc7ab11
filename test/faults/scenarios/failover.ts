import { setTimeout as sleep } from 'node:timers/promises';
import { becomesQuiet, examine, healWithinMs, healedAfter } from '../bed/findings.ts';
import { startLoad } from '../bed/load.ts';
import { replicatedDatabase } from '../bed/replicated-database.ts';
import type { Scenario } from '../bed/scenario.ts';
import { untilUnready } from './read-only.ts';

/** With synchronous replication whatever was acknowledged is on the standby, so nothing of it may be lost. */
export const failover: Scenario = {
  name: 'failover',
  about:
    'the primary killed under the load of three nodes, its synchronous standby promoted, connections moved',
  options: { nodes: 3, before: 10, away: 10, after: 10, per_second: 60 },
  short: { before: 1, away: 0, after: 0, per_second: 30 },
  needs_server: true,
  async play({ open, options, note }) {
    const { nodes = 3, before = 1, away = 1, after = 1, per_second = 1 } = options;
    const database = await replicatedDatabase();
    const bed = await open({ database });
    for (let count = 0; count < nodes; count += 1) await bed.startNode('api,submission,delivery');
    const load = startLoad(bed, { nodes: bed.nodes, per_second });
    await healedAfter(bed, Date.now(), bed.nodes);
    await sleep(before * 1_000);
    const killedAt = await database.kill();
    const problems = await untilUnready(bed);
    await sleep(Math.max(0, killedAt + away * 1_000 - Date.now()));
    const promotedMs = await database.failOver();
    const healed_ms = await healedAfter(bed, Date.now(), bed.nodes);
    note(`promoted and moved in ${promotedMs} ms, works again after ${healed_ms} ms more`);
    await sleep(after * 1_000);
    await load.stop();
    await becomesQuiet(bed, 2 * healWithinMs);
    return { findings: await examine(bed, healed_ms), problems };
  },
};
