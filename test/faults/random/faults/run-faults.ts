import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedFault } from '../plan/plan-faults.ts';
import type { Stage } from '../stage.ts';
import { faultPlayers } from './fault-players.ts';

/** Each fault at its time, until it is over. Gives what could not be done or undone. */
export async function runFaults(stage: Stage): Promise<string[]> {
  const problems: string[] = [];
  const running = stage.plan.faults.map(async (planned) => {
    await sleep(Math.max(0, stage.began_at + planned.at_ms - Date.now()));
    await playFault(stage, planned).catch((error: unknown) => {
      problems.push(`${planned.kind} at ${planned.at_ms} ms: ${(error as Error).message}`);
    });
  });
  await Promise.all(running);
  return problems;
}

async function playFault(stage: Stage, planned: PlannedFault): Promise<void> {
  const { kind, held_ms } = planned;
  const node = planned.node === undefined ? undefined : stage.nodes[planned.node];
  const entry = { kind, node: node?.name, from: Date.now(), until: Infinity };
  stage.history.faults.push(entry);
  const end = await faultPlayers[kind](stage, { planned, node });
  await sleep(held_ms);
  await end();
  entry.until = Date.now();
}
