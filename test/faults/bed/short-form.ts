import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play } from './play.ts';
import type { Scenario } from './scenario.ts';

/** A scenario as a test: as short as shows the fault. `npm run faults` plays it at length. */
export function testShortForm(scenario: Scenario): void {
  const skip = scenario.unavailable?.(undefined) ?? false;
  const title = `${scenario.about}: nothing is lost, doubled or stored though refused, and it heals`;
  test(title, { skip }, async (t) => {
    const options = { ...scenario.short };
    const note = (text: string): void => t.diagnostic(text);
    const { findings, wrong } = await play(scenario, {
      options,
      shared: true,
      note,
      ...(scenario.short_rounds === undefined ? {} : { rounds: scenario.short_rounds }),
    });
    t.diagnostic(`${findings.acknowledged} acknowledged, ${findings.refused} refused`);
    assert.deepEqual(wrong, []);
  });
}
