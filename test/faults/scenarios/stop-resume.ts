import { setTimeout as sleep } from 'node:timers/promises';
import { becomesQuiet, examine, healedAfter } from '../bed/findings.ts';
import { sendBurst, startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';

/**
 * A machine that was suspended wakes up with mail in hand that others have sent meanwhile. What was on its way when it
 * stopped may come twice, what it only begins afterwards may not.
 */
export const stopResume: Scenario = {
  name: 'stop-resume',
  about:
    'one of three delivering nodes stopped (SIGSTOP) with mail in hand, and resumed when others have sent it',
  options: { nodes: 3, mails: 600, stopped: 180, per_second: 6 },
  needs_server: false,
  async play({ open, rounds, options: { nodes = 3, mails = 1, stopped = 1, per_second = 1 }, note }) {
    const bed = await open();
    const api = await bed.startNode('api,submission');
    const delivering = [];
    for (let count = 0; count < nodes; count += 1) delivering.push(await bed.startNode('delivery'));
    const load = startLoad(bed, { nodes: [api], per_second });
    let healed_ms = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const victim = delivering[round % nodes];
      // Destinations that are known to be quick get many connections; on them much mail then waits for leave to be sent.
      const { manners } = bed;
      manners.recipient_after_ms = () => 0;
      await sendBurst(bed, api, mails / 2);
      await becomesQuiet(bed, 60_000);
      manners.recipient_after_ms = () => 20_000;
      await sendBurst(bed, api, mails);
      victim?.freeze();
      const frozenAt = Date.now();
      manners.recipient_after_ms = () => 0;
      await sleep(stopped * 1_000);
      victim?.thaw();
      const since = Date.now();
      const ms = await healedAfter(bed, since, [api]);
      healed_ms = Math.max(healed_ms, ms);
      await becomesQuiet(bed, 30_000);
      const late = [...bed.ledger.copies.values()]
        .flat()
        .filter(({ node, at }) => node === victim?.name && at > since);
      note(
        `round ${round}: stopped for ${Math.round((since - frozenAt) / 1000)} s; it sent ${late.length} afterwards`,
      );
    }
    await load.stop();
    await becomesQuiet(bed, 30_000);
    return { findings: await examine(bed, healed_ms), problems: [] };
  },
};
