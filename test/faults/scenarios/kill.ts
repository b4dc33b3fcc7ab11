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
async function killAndStart(
  bed: FaultBed,
  { node, database, away_ms = 0 }: Pick<Killing, 'node' | 'database'> & { away_ms?: number },
): Promise<number> {
  const victim = bed.nodes[Math.floor(Math.random() * bed.nodes.length)];
  await Promise.all([...(node ? [victim?.kill()] : []), ...(database ? [bed.database.kill()] : [])]);
  await sleep(away_ms);
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
      return { findings: await examine(bed, healed_ms), problems: [] };
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

export const killRetried: Scenario = {
  name: 'kill-retried',
  about:
    'kill -9 of PostgreSQL, of a node or of both, while each send is repeated with its key until it is answered',
  rounds: 12,
  options: { nodes: 3, per_second: 60, longest_wait: 3, longest_away: 6 },
  needs_server: true,
  async play({
    open,
    rounds,
    options: { nodes = 1, per_second = 1, longest_wait = 1, longest_away = 0 },
    note,
  }) {
    const bed = await open();
    for (let count = 0; count < nodes; count += 1) await bed.startNode(roles);
    const load = startLoad(bed, { nodes: bed.nodes, per_second, keyed: true });
    let healed_ms = 0;
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(1_000 + Math.random() * longest_wait * 1_000);
      const what = { node: round % 3 !== 1, database: round % 3 !== 2 };
      // What was delivered just before is recorded once the database is back: before the next kill, which may be soon.
      const away_ms = what.database ? Math.random() * longest_away * 1_000 : 0;
      const ms = await killAndStart(bed, { ...what, away_ms });
      healed_ms = Math.max(healed_ms, ms);
      note(`round ${round}: works again after ${ms} ms`);
    }
    await load.stop();
    await becomesQuiet(bed, 150_000);
    const findings = await examine(bed, healed_ms);
    return { findings, problems: await keyProblems(bed) };
  },
};

/** Every send has its answer, and every key has one message. */
async function keyProblems({ database, ledger }: FaultBed): Promise<string[]> {
  const ids = [...ledger.sent.values()];
  const unanswered = ids.filter(({ answer }) => answer !== 'acknowledged');
  const [row] = await database.query<{ keys: number; messages: number }>(
    `select (select count(*)::int from idempotency_keys) as keys,
       (select count(distinct msg_id)::int from mails where custom_msg_id like 'k%') as messages`,
  );
  return [
    ...(unanswered.length === 0 ? [] : [`${unanswered.length} not accepted: ${unanswered[0]?.reply ?? ''}`]),
    ...(row?.keys === ids.length && row.messages === ids.length
      ? []
      : [`${ids.length} sends, ${row?.keys} keys, ${row?.messages} messages`]),
  ];
}
