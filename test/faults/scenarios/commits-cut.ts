import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabaseProxy } from '../bed/database-proxy.ts';
import { becomesQuiet, examine, healWithinMs, healedAfter, seconds } from '../bed/findings.ts';
import { slowest } from '../bed/ledger.ts';
import { startLoad } from '../bed/load.ts';
import type { Scenario } from '../bed/scenario.ts';

/** Of the answers that could be cut. */
const shareOfCommits = 0.3;
const shareOfAll = 0.1;

/**
 * A commit whose answer is lost stands or does not, and a claim whose answer is lost leaves mail under a lease without a holder. Neither
 * may show: what was refused is not stored, and no mail waits for a lease to run out.
 */
export const commitsCut: Scenario = {
  name: 'commits-cut',
  about: 'connections to PostgreSQL cut when the answer to a commit, or to a claim, is on its way',
  options: { seconds: 60, per_second: 40 },
  short: { seconds: 6 },
  needs_server: false,
  async play({ open, after, options: { seconds: duration = 1, per_second = 1 }, note }) {
    const bed = await open();
    const [accepting, delivering] = await Promise.all([
      startDatabaseProxy(bed.database.connection),
      startDatabaseProxy(bed.database.connection),
    ]);
    after(async () => {
      await accepting.stop();
      await delivering.stop();
    });
    const all = await bed.startNode('api,submission,delivery', { env: { DATABASE_URL: accepting.url } });
    const api = await bed.startNode('api,submission');
    await bed.startNode('delivery', { env: { DATABASE_URL: delivering.url } });
    const load = startLoad(bed, { nodes: [all, api], per_second });
    const smtp = startLoad(bed, { nodes: [all], per_second: per_second / 8, over: 'smtp' });
    await healedAfter(bed, Date.now(), [all, api]);
    accepting.rule = {
      isCut: (tags) =>
        tags.some((tag) => /^(COPY|INSERT|COMMIT)/.test(tag)) && Math.random() < shareOfCommits,
    };
    delivering.rule = { isCut: () => Math.random() < shareOfAll };
    await sleep(duration * 1_000);
    accepting.rule = { isCut: () => false };
    delivering.rule = { isCut: () => false };
    note(`${accepting.cuts} answers to commits and ${delivering.cuts} others were cut`);
    const healed_ms = await healedAfter(bed, Date.now(), [all, api]);
    await Promise.all([load.stop(), smtp.stop()]);
    await becomesQuiet(bed, 2 * healWithinMs);
    const { id, ms } = slowest(bed.ledger);
    const problems = ms > healWithinMs ? [`${id} arrived ${seconds(ms)} after it was acknowledged`] : [];
    if (accepting.cuts === 0 || delivering.cuts === 0) problems.push('nothing was cut');
    return { findings: await examine(bed, healed_ms), problems };
  },
};
