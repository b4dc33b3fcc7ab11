import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFaultBed, thisCode, type FaultBed } from './fault-bed.ts';
import { ownDatabase, sharedDatabase } from './fault-database.ts';
import { verdict } from './findings.ts';
import type { Outcome, Scenario } from './scenario.ts';

export interface PlayOptions {
  code?: string;
  from?: string;
  rounds?: number;
  options?: Record<string, number>;
  /** On the server that the tests share, where the scenario allows that. */
  shared?: boolean;
  note?: (text: string) => void;
  /** Gets what ends all processes, for a signal that comes before the scenario is over. */
  onStage?: (end: () => Promise<void>) => void;
}

export interface Played extends Outcome {
  rounds: number;
  /** All that is wrong. */
  wrong: string[];
}

export async function play(scenario: Scenario, given: PlayOptions = {}): Promise<Played> {
  const { code = thisCode, rounds = scenario.rounds ?? 1, shared = false, note = () => undefined } = given;
  const cleanups: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  given.onStage?.(end);
  const beds: FaultBed[] = [];
  try {
    const { findings, problems } = await scenario.play({
      rounds,
      code,
      from: given.from,
      options: { ...scenario.options, ...given.options },
      note,
      after: (cleanup) => void cleanups.push(cleanup),
      async open({ first_code, database: given_database, ...own } = {}) {
        const database =
          given_database ??
          (shared && !scenario.needs_server ? await sharedDatabase() : await ownDatabase(own));
        const bed = await makeFaultBed({ code, database, ...(first_code ? { first_code } : {}) });
        beds.push(bed);
        cleanups.push(bed.stop);
        return bed;
      },
    });
    const wrong = [...verdict(findings), ...problems];
    if (wrong.length > 0) note(`logs of the nodes: ${await keepLogs(beds)}`);
    return { rounds, findings, problems, wrong };
  } finally {
    await end();
  }
}

/** Outlives the run: a fault that shows once in a hundred rounds is found by what the nodes wrote. */
async function keepLogs(beds: FaultBed[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-fault-logs-'));
  const nodes = beds.flatMap((bed) => bed.nodes);
  await Promise.all(
    nodes.map(async ({ name, log }, index) => {
      await writeFile(path.join(folder, `${index + 1}-${name}.log`), log.join(''));
    }),
  );
  return folder;
}
