import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noSmallDisk } from '../bed/small-disk.ts';
import { becomeQuiet, becomeReady } from './become-quiet.ts';
import { check } from './checker/check.ts';
import { readRows, type Evidence, type Violation } from './checker/evidence.ts';
import { runFaults } from './faults/run-faults.ts';
import { describePlan, makePlan, type Plan } from './plan/plan.ts';
import { setStage, type Stage } from './stage.ts';
import { runOperations } from './workload/run-operations.ts';

export interface RandomOptions {
  seed: number;
  minutes: number;
  /** The code under test. */
  code: string;
  note: (text: string) => void;
  /** Gets what ends all processes, for a signal that comes before it is over. */
  onStage?: (end: () => Promise<void>) => void;
}

/** Of the time that is given, what healing and checking take where the machine has nothing else to do. */
const restShare = 1 / 3;
const longestRestMs = 60_000;
/** Without anything happening. */
const quiet_within_ms = 20_000;
const readyWithinMs = 30_000;

/** Carries out the plan of a seed and judges what came of it. */
export async function playRandom({
  seed,
  minutes,
  code,
  note,
  onStage,
}: RandomOptions): Promise<Violation[]> {
  const rest_ms = Math.min(longestRestMs, minutes * 60_000 * restShare);
  const seconds = Math.round(minutes * 60 - rest_ms / 1000);
  const plan = makePlan({ seed, seconds, no_small_disk: noSmallDisk() });
  for (const line of describePlan(plan)) note(line);
  const cleanups: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  onStage?.(end);
  try {
    const stage = await setStage(plan, { code, after: (cleanup) => void cleanups.push(cleanup) });
    return await carryOut(stage, note);
  } finally {
    await end();
  }
}

async function carryOut(stage: Stage, note: (text: string) => void): Promise<Violation[]> {
  stage.began_at = Date.now();
  const [{ left_out }, problems] = await Promise.all([runOperations(stage), runFaults(stage)]);
  const unready = await becomeReady(stage, readyWithinMs);
  const left = await becomeQuiet(stage, quiet_within_ms);
  // So that history and rows are of one moment.
  await Promise.all(stage.nodes.map(async (node) => await node.stop()));
  const violations = [
    ...[...problems, ...unready].map((what) => ({ invariant: 'heals', what })),
    ...left.map((what) => ({ invariant: 'comes to rest', what })),
    ...(await check(await evidenceOf(stage))),
  ];
  note(
    `${countOutcomes(stage)}${left_out === 0 ? '' : `; ${left_out} operations left out, as too many waited`}`,
  );
  if (violations.length > 0) note(`history, rows and logs are in ${await keep(stage, violations)}`);
  return violations;
}

async function evidenceOf({ history, plan, account, database: { query } }: Stage): Promise<Evidence> {
  const { senders, hooks } = account;
  return { history, people: plan.people, senders, hooks, query, rows: await readRows(query, history) };
}

function countOutcomes({ history: { entries, mails, hooks } }: Stage): string {
  const count = (outcome: string): number => entries.filter((entry) => entry.outcome === outcome).length;
  return (
    `${entries.length} requests: ${count('acknowledged')} acknowledged, ${count('refused')} refused, ` +
    `${count('unanswered')} unanswered; ${mails.length} messages and ${hooks.length} webhook requests arrived`
  );
}

/** For the search of the cause. */
async function keep({ plan, history, nodes, database }: Stage, violations: Violation[]): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), `chq-random-${plan.seed}-`));
  const write = (name: string, value: unknown): void =>
    writeFileSync(
      path.join(folder, name),
      typeof value === 'string' ? value : JSON.stringify(value, null, 1),
    );
  const { queue, ...rows } = await readRows(database.query, history);
  write('violations.json', violations);
  write('plan.json', plan satisfies Plan);
  write('history.json', history);
  write('rows.json', { ...rows, queue: [...queue.values()] });
  for (const node of nodes) write(`${node.name}.log`, node.log.join(''));
  return folder;
}
