import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../support/wait-for.ts';
import type { FaultBed } from '../bed/fault-bed.ts';
import { becomesQuiet, examine, healWithinMs, healedAfter } from '../bed/findings.ts';
import { startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';

/**
 * As during a failover: new sessions are read-only for a while. Those that were opened meanwhile stay read-only for as
 * long as they live, so the service has to replace them by itself.
 */
export const readOnly: Scenario = {
  name: 'read-only',
  about: 'a database that is read-only for a while, all connections having been cut, and then is not',
  options: { nodes: 2, held: 20, per_second: 30 },
  short: { held: 3 },
  needs_server: false,
  async play({ open, rounds, options: { nodes = 2, held = 1, per_second = 1 }, note }) {
    const bed = await open();
    for (let count = 0; count < nodes; count += 1) await bed.startNode('api,submission,delivery,jobs');
    const load = startLoad(bed, { nodes: bed.nodes, per_second });
    await healedAfter(bed, Date.now(), bed.nodes);
    const problems: string[] = [];
    let healed_ms = 0;
    for (let round = 1; round <= rounds; round += 1) {
      await setReadOnly(bed, true);
      const since = Date.now();
      problems.push(...(await untilUnready(bed)));
      await sleep(Math.max(0, since + held * 1_000 - Date.now()));
      await setReadOnly(bed, false);
      const ms = await healedAfter(bed, Date.now(), bed.nodes);
      healed_ms = Math.max(healed_ms, ms);
      note(`round ${round}: works again after ${ms} ms`);
    }
    await load.stop();
    await becomesQuiet(bed, 2 * healWithinMs);
    return { findings: await examine(bed, healed_ms), problems };
  },
};

/** From now on, or no more. The way there cuts all connections. */
export async function setReadOnly(
  { database }: Pick<FaultBed, 'database'>,
  isReadOnly: boolean,
): Promise<void> {
  const { database: name } = database.connection;
  const setting = isReadOnly
    ? 'set default_transaction_read_only = on'
    : 'reset default_transaction_read_only';
  await database.query(`alter database ${name} ${setting}`);
  // The way back cuts nothing: what is connected by then has to find out by itself.
  if (!isReadOnly) return;
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [name],
  );
}

/** Nodes that cannot write tell the load balancer. */
export async function untilUnready({ nodes }: FaultBed): Promise<string[]> {
  const unready = async (node: FaultBed['nodes'][number]): Promise<string[]> => {
    const isUnready = async (): Promise<boolean> => (await node.readiness()).status === 503;
    return await waitFor(isUnready, { timeout_ms: 10_000, interval_ms: 200 }).then(
      () => [],
      () => [`/readyz of ${node.name} is not 503 after 10 s without a database that can be written to`],
    );
  };
  return (await Promise.all(nodes.map(unready))).flat();
}
