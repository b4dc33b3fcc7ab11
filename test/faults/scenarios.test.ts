import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play } from './bed/play.ts';
import { scenarios } from './scenarios.ts';

/** The faults that do not take long; `npm run faults` plays all of them, at length. */
for (const scenario of scenarios.filter(({ short }) => short !== undefined)) {
  const skip = scenario.unavailable?.(undefined) ?? false;
  test(
    `${scenario.about}: nothing is lost, doubled or stored though refused, and it heals`,
    { skip },
    async (t) => {
      const options = scenario.short ?? {};
      const { findings, wrong } = await play(scenario, {
        options,
        shared: true,
        note: (text) => t.diagnostic(text),
      });
      t.diagnostic(`${findings.acknowledged} acknowledged, ${findings.refused} refused`);
      assert.deepEqual(wrong, []);
    },
  );
}
