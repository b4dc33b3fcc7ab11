import { benchAccept } from './accept.ts';
import { benchBatch } from './batch.ts';
import { benchCompare } from './compare.ts';
import { benchDeliver } from './deliver.ts';
import { benchActivity } from './activity.ts';
import { benchGrowth } from './growth.ts';
import { benchFootprint } from './footprint.ts';
import { benchHttpOverhead } from './http-overhead.ts';
import { benchMcp } from './mcp.ts';
import { benchPanel } from './panel.ts';
import { benchQuick } from './quick.ts';
import { benchRights } from './rights.ts';
import { benchSchedule } from './schedule.ts';
import { benchSwitching } from './switching.ts';
import { benchTrack } from './track.ts';
import { tryReceivers } from './receivers.ts';
import { benchWebhooks } from './webhooks.ts';

/** `npm run bench -- <name>`: one benchmark, its peers beside it. */
const benchmarks: Record<string, () => Promise<void>> = {
  accept: benchAccept,
  activity: benchActivity,
  batch: benchBatch,
  compare: benchCompare,
  deliver: benchDeliver,
  footprint: benchFootprint,
  growth: benchGrowth,
  'http-overhead': benchHttpOverhead,
  mcp: benchMcp,
  panel: benchPanel,
  quick: benchQuick,
  rights: benchRights,
  schedule: benchSchedule,
  switching: benchSwitching,
  track: benchTrack,
  receivers: tryReceivers,
  webhooks: benchWebhooks,
};

const name = process.argv[2] ?? '';
const benchmark = benchmarks[name];
if (benchmark) await benchmark();
else {
  process.stderr.write(`Which one? ${Object.keys(benchmarks).join(', ')}\n`);
  process.exitCode = 1;
}
