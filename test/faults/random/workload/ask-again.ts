import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '../history.ts';
import type { PlannedCall } from '../plan/planned.ts';
import type { RandomNode, Stage } from '../stage.ts';

/** How a call with a key is made. */
export interface Repeatable {
  planned: PlannedCall;
  /** The first is asked first. */
  nodes: RandomNode[];
  ask: (node: RandomNode, leaves_after_ms: number | undefined) => Promise<Entry>;
  /** The same key with something else. */
  misuse: (node: RandomNode) => Promise<void>;
}

const transient = new Set([429, 451, 503]);

/** Once, or as often as a caller does who has a key and no answer. */
export async function askAgain(stage: Stage, { planned, nodes, ask, misuse }: Repeatable): Promise<void> {
  const { key, leaves_after_ms } = planned;
  const another = (): RandomNode => stage.random.pick(nodes);
  let entry = await ask(nodes[0] ?? another(), leaves_after_ms);
  for (let asked = 1; asked < (key?.tries ?? 1) && isWorthAnother(entry); asked += 1) {
    await sleep(stage.random.integer(200, 2_500));
    // Who left early stays the next time.
    entry = await ask(another(), undefined);
  }
  if (!key || entry.outcome !== 'acknowledged') return;
  if (key.again_after_ms !== undefined) {
    await sleep(key.again_after_ms);
    await ask(another(), undefined);
  }
  if (key.is_misused) await misuse(another());
}

function isWorthAnother({ outcome, status, reply }: Entry): boolean {
  return outcome === 'unanswered' || transient.has(status) || reply.includes('idempotency_in_progress');
}
