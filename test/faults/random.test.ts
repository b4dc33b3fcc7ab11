import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thisCode } from './bed/fault-bed.ts';
import { makePlan } from './random/plan/plan.ts';
import { withBug } from './random/planted/plant.ts';
import { plantedBugs } from './random/planted/planted-bugs.ts';
import { playRandom } from './random/play-random.ts';

test('a seed makes the same plan each time, and another seed another one', () => {
  const planOf = (seed: number): unknown => makePlan({ seed, seconds: 120, no_small_disk: undefined });
  assert.deepEqual(planOf(7), planOf(7));
  assert.notDeepEqual(planOf(7), planOf(8));
});

test('the code still has the place of each planted bug', () => {
  for (const bug of plantedBugs) assert.ok(withBug(thisCode, bug).includes(bug.bad), bug.name);
});

// Two nodes, whose database is killed, and then one of them.
const seed = 118;

test('a short random workload under random faults violates nothing', async (t) => {
  const note = (text: string): void => t.diagnostic(text);
  assert.deepEqual(await playRandom({ seed, minutes: 0.5, code: thisCode, note }), []);
});
