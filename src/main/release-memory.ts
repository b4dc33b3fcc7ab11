import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Running } from './service-context.ts';

/** Share of a processor at which the thread counts as busy, and below which it counts as idle. */
const busyUtilization = 0.1;
const idleUtilization = 0.06;

interface ReleaseOptions {
  poll_every_ms: number;
  /** Idle time before the collection. */
  rest_ms: number;
  /** Share of a processor that the thread used since the last call. */
  utilization: () => number;
  collect: () => void;
}

/** Collects garbage after the start and after a long idle time: see docs/decisions/0004-memory-release.md. */
export function releaseMemory(options: Pick<ReleaseOptions, 'rest_ms'> & Partial<ReleaseOptions>): Running {
  const { rest_ms, poll_every_ms = 5_000, utilization = utilizationMeter(), collect = collectAll } = options;
  let isStarting = true;
  let collectAt = 0;
  const timer = setInterval(() => {
    const share = utilization();
    const now = performance.now();
    if (share >= busyUtilization && !isStarting) collectAt = now + rest_ms;
    if (share >= idleUtilization || now < collectAt) return;
    isStarting = false;
    collectAt = Infinity;
    collect();
  }, poll_every_ms).unref();
  return { stop: async () => clearInterval(timer), abort: () => clearInterval(timer) };
}

/** By time of the processor: on a busy machine the event loop is active for longer without doing more. */
function utilizationMeter(): () => number {
  const read = (): { used_us: number; at_ms: number } => {
    const { user, system } = process.threadCpuUsage();
    return { used_us: user + system, at_ms: performance.now() };
  };
  let last = read();
  return () => {
    const now = read();
    const share = (now.used_us - last.used_us) / 1000 / (now.at_ms - last.at_ms);
    last = now;
    return share;
  };
}

function collectAll(): void {
  // A context that is created while the flag is set has the function. The flag is part of the key of the code cache, so
  // it is set back at once.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
