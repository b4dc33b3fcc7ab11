import type { Scenario } from './bed/scenario.ts';
import { clocks } from './scenarios/clocks.ts';
import { commitsCut } from './scenarios/commits-cut.ts';
import { databaseAway } from './scenarios/database-away.ts';
import { failover } from './scenarios/failover.ts';
import { fullDisk } from './scenarios/full-disk.ts';
import { killBoth, killDatabase, killNode, killRetried } from './scenarios/kill.ts';
import { readOnly } from './scenarios/read-only.ts';
import { receive } from './scenarios/receive.ts';
import { stopResume } from './scenarios/stop-resume.ts';
import { upgrade } from './scenarios/upgrade.ts';

/** Every fault that is played. */
export const scenarios: Scenario[] = [
  killNode,
  killDatabase,
  killBoth,
  killRetried,
  databaseAway,
  failover,
  stopResume,
  commitsCut,
  readOnly,
  clocks,
  fullDisk,
  receive,
  upgrade,
];
