import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Running } from './service-context.ts';

const look_every_ms = 5_000;
/** Shares of its time in which the thread did something: from here on it works, and below it rests. */
const works = 0.1;
const rests = 0.03;

/**
 * V8 returns what it has no use for to the system some seconds after a full collection, when little happens. But a
 * collection comes when memory is asked for, so a process at rest keeps all that its start or its busiest hour took:
 * 160 MB where 125 will do, and 340 MB after a load. So this thread asks for one, 50 ms, when its work has ended.
 */
export function giveMemoryBack(): Running {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  // Starting was work.
  let has_worked = true;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization >= works) has_worked = true;
    if (!has_worked || utilization >= rests) return;
    has_worked = false;
    collectAll();
  }, look_every_ms).unref();
  return { stop: async () => clearInterval(timer), cut: () => clearInterval(timer) };
}

function collectAll(): void {
  // A new context has the function while the flag is set. The flags are set back at once, since code is kept compiled
  // for the very flags it was compiled under.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
