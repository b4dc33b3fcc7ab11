import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../support/wait-for.ts';
import { becomesQuiet, examine, healedAfter } from '../bed/findings.ts';
import { sendBurst, startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';

/**
 * Longer away than it takes to be declared dead: the node that is back first must not take the others for dead, and what
 * each of them had under way is delivered once.
 */
export const databaseAway: Scenario = {
  name: 'database-away',
  about: 'PostgreSQL stopped while three nodes deliver to slow servers, and started again',
  options: { nodes: 3, mails: 600, away: 120, per_second: 6 },
  needs_server: true,
  async play({ open, rounds, options: { nodes = 3, mails = 1, away = 1, per_second = 1 }, note }) {
    const bed = await open();
    for (let count = 0; count < nodes; count += 1) await bed.startNode('api,submission,delivery');
    const load = startLoad(bed, { nodes: bed.nodes, per_second });
    let healed_ms = 0;
    for (let round = 1; round <= rounds; round += 1) {
      // So slow that most of it is under way when the database goes, and done only after that.
      bed.manners.reply_after_ms = () => 5_000 + Math.random() * 10_000;
      const taken = bed.ledger.copies.size;
      await Promise.all(bed.nodes.map(async (node) => await sendBurst(bed, node, Math.ceil(mails / nodes))));
      await waitFor(() => bed.ledger.copies.size > taken + mails / 8, {
        timeout_ms: 60_000,
        what: 'mail to be under way',
      });
      await bed.database.stop();
      note(
        `round ${round}: away for ${away} s, with ${bed.ledger.copies.size - taken} mails at their servers`,
      );
      await sleep(away * 1_000);
      bed.manners.reply_after_ms = () => 20;
      await bed.database.start();
      const ms = await healedAfter(bed, Date.now(), bed.nodes);
      healed_ms = Math.max(healed_ms, ms);
      note(`round ${round}: works again after ${ms} ms`);
    }
    await load.stop();
    await becomesQuiet(bed, 60_000);
    return { findings: await examine(bed, healed_ms), problems: [] };
  },
};
