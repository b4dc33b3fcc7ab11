import { checkAccepted } from './accepted.ts';
import { checkChain } from './chain.ts';
import { checkConsents } from './consents.ts';
import { checkCounters } from './counters.ts';
import { checkDelivered } from './delivered.ts';
import { checkErased } from './erased.ts';
import { checkEvents } from './events.ts';
import type { Check, Evidence, Violation } from './evidence.ts';
import { checkHooks } from './hooks.ts';
import { checkScheduled } from './scheduled.ts';
import { checkSuppressed } from './suppressed.ts';

const checks: Check[] = [
  checkAccepted,
  checkDelivered,
  checkSuppressed,
  checkScheduled,
  checkEvents,
  checkCounters,
  checkChain,
  checkConsents,
  checkErased,
  checkHooks,
];

export async function check(evidence: Evidence): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const each of checks) found.push(...(await each(evidence)));
  return found;
}
