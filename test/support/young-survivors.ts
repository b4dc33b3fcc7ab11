import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collection = ReturnType<GCProfiler['stop']>['statistics'][number];

const maxPasses = 20;

/** Of what `work` allocated, the share that outlived the young collections during it. */
export async function youngSurvivors(work: () => Promise<void>): Promise<number> {
  collectAll();
  const scavenges: Collection[] = [];
  // The young generation grows while others allocate, so that one pass may not fill it.
  for (let pass = 0; scavenges.length === 0; pass += 1) {
    if (pass === maxPasses) throw new Error('There was no young collection.');
    const profiler = new GCProfiler();
    profiler.start();
    await work();
    scavenges.push(...profiler.stop().statistics.filter(({ gcType }) => gcType === 'Scavenge'));
  }
  const usedIn = (names: RegExp, { heapSpaceStatistics }: Collection['beforeGC']): number =>
    heapSpaceStatistics
      .filter(({ spaceName }) => names.test(spaceName))
      .reduce((sum, { spaceUsedSize }) => sum + spaceUsedSize, 0);
  let allocated = 0;
  let survived = 0;
  for (const { beforeGC, afterGC } of scavenges) {
    allocated += usedIn(/^new_space$/, beforeGC);
    survived += usedIn(/^(new|old)_space$/, afterGC) - usedIn(/^old_space$/, beforeGC);
  }
  return survived / allocated;
}

/** What others left in the young generation is not of this work. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
