import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Running } from './service-context.ts';

/** Event-loop utilization at which the thread counts as busy, and below which it counts as idle. */
const busy_utilization = 0.1;
const idle_utilization = 0.06;

interface ReleaseOptions {
  poll_every_ms: number;
  /** Idle time before the collection. */
  rest_ms: number;
  /** Event-loop utilization since the last call. */
  utilization: () => number;
  collect: () => void;
}

/** Collects garbage after the start and after a long idle time: see docs/decisions/0004-memory-release.md. */
export function releaseMemory(options: Pick<ReleaseOptions, 'rest_ms'> & Partial<ReleaseOptions>): Running {
  const { rest_ms, poll_every_ms = 5_000, utilization = utilizationMeter(), collect = collectAll } = options;
  let isStarting = true;
  let collect_at = 0;
  const timer = setInterval(() => {
    const share = utilization();
    const now = performance.now();
    if (share >= busy_utilization && !isStarting) collect_at = now + rest_ms;
    if (share >= idle_utilization || now < collect_at) return;
    isStarting = false;
    collect_at = Infinity;
    collect();
  }, poll_every_ms).unref();
  return { stop: async () => clearInterval(timer), abort: () => clearInterval(timer) };
}

function utilizationMeter(): () => number {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

function collectAll(): void {
  // A context that is created while the flag is set has the function. The flag is part of the key of the code cache, so
  // it is set back at once.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
