import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../../src/base/config.ts';
import type { FaultBed } from '../bed/fault-bed.ts';
import type { FaultNode } from '../bed/fault-node.ts';
import { becomesQuiet, examine, healWithinMs, healedAfter, seconds } from '../bed/findings.ts';
import { repeats, slowest } from '../bed/ledger.ts';
import { sendBurst, startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';

const allRoles = 'api,submission,delivery,jobs';
interface Shift {
  name: string;
  seconds: number;
  roles: string;
}
const shifts: Shift[] = [
  { name: '150 days ahead', seconds: 150 * 86_400, roles: 'delivery,jobs' },
  { name: '31 minutes ahead', seconds: 31 * 60, roles: allRoles },
  { name: '31 minutes behind', seconds: -31 * 60, roles: allRoles },
  // Its mail is delivered by others.
  { name: '90 seconds ahead', seconds: 90, roles: 'api,submission' },
];
const shiftedClock = path.resolve(import.meta.dirname, '../bed/shifted-clock.ts');

/** Nodes with a wrong clock beside one whose clock is right: time that they share is the database's. */
export const clocks: Scenario = {
  name: 'clocks',
  about:
    'nodes whose clocks are 31 minutes ahead or behind, 90 seconds ahead, 150 days ahead, beside a right one',
  options: { seconds: 20, per_second: 20, mails: 60, together: 0 },
  short: { seconds: 3, mails: 30, together: 1 },
  needs_server: false,
  async play({ open, options: { seconds: duration = 1, per_second = 1, mails = 1, together = 0 }, note }) {
    const bed = await open();
    const right = await bed.startNode(allRoles);
    const months = await partitions(bed);
    const problems: string[] = [];
    let healed_ms = 0;
    for (const group of together ? [shifts] : shifts.map((shift) => [shift])) {
      const began = Date.now();
      // Under way when the wrong clock comes, at servers that take their time.
      bed.manners.reply_after_ms = () => 4_000;
      await sendBurst(bed, right, mails);
      const wrong = await Promise.all(group.map(async (shift) => await startWrong(bed, shift)));
      const accepting = wrong.map(({ node }) => node).filter(({ base_url }) => base_url !== '');
      const load = startLoad(bed, { nodes: [right, ...accepting], per_second });
      await sleep(duration * 1_000);
      bed.manners.reply_after_ms = () => 50;
      const silent = await Promise.all(wrong.map(async (each) => await silenceOf(bed, each)));
      problems.push(...silent.flat());
      await load.stop();
      await becomesQuiet(bed, 2 * healWithinMs);
      // With nothing in line nothing keeps a job from dropping what it takes for old.
      await sleep(duration * 500);
      await Promise.all(wrong.map(async ({ node }) => await node.stop()));
      const after = startLoad(bed, { nodes: [right], per_second });
      healed_ms = Math.max(healed_ms, await healedAfter(bed, Date.now(), [right]));
      await after.stop();
      const { id, ms } = slowest(bed.ledger, began);
      const names = wrong.map(({ name }) => name).join(', ');
      note(
        `${names}: the slowest mail took ${seconds(ms)}, ${repeats(bed.ledger).doubled.length} doubled so far`,
      );
      if (ms > healWithinMs) problems.push(`${names}: ${id} arrived after ${seconds(ms)}`);
    }
    await becomesQuiet(bed, 2 * healWithinMs);
    const present = await partitions(bed);
    const gone = months.filter((month) => !present.includes(month));
    if (gone.length > 0) problems.push(`${gone.length} partitions are gone (${gone[0]}…)`);
    return { findings: await examine(bed, healed_ms), problems: [...problems, ...(await jobProblems(bed))] };
  },
};

interface WrongNode {
  name: string;
  env: Environment;
  node: FaultNode;
}

async function startWrong(bed: FaultBed, { name, seconds: shift, roles }: Shift): Promise<WrongNode> {
  const env = {
    NODE_OPTIONS: `--import=${shiftedClock}`,
    FAULTS_CLOCK_SHIFT_MS: String(shift * 1_000),
  };
  return { name, env, node: await bed.startNode(roles, { env }) };
}

/** A node whose clock is wrong says so: in `/readyz`, and in `doctor` where that runs on the same clock. */
async function silenceOf(bed: FaultBed, { name, env, node }: WrongNode): Promise<string[]> {
  const isAboutClock = (text: string): boolean => /clock/i.test(text);
  const { text } = await node.readiness();
  const { findings } = await bed.doctor(env);
  const isFound = findings.some(({ check, ok, detail }) => !ok && isAboutClock(`${check} ${detail}`));
  return [
    ...(isAboutClock(text) ? [] : [`${name}: /readyz says nothing of the clock`]),
    ...(isFound ? [] : [`${name}: doctor finds nothing wrong with the clock`]),
  ];
}

async function partitions({ database }: FaultBed): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits order by 1',
  );
  return rows.map(({ name }) => name);
}

/** No clock put them off, and the right one finds nothing wrong. */
async function jobProblems(bed: FaultBed): Promise<string[]> {
  const late = await bed.database.query<{ name: string }>(
    "select name from jobs where next_run_at > now() + interval '2 days'",
  );
  const { findings } = await bed.doctor();
  return [
    ...(late.length === 0 ? [] : [`${late.length} jobs are put off by more than two days`]),
    ...findings.filter(({ ok }) => !ok).map(({ check, detail }) => `doctor: ${check}: ${detail}`),
  ];
}
