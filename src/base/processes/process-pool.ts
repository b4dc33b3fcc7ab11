import { Problem } from '../errors/problem.ts';
import { FairQueue } from '../fair-queue.ts';
import { startWorkerProcess, type WorkerProcess, type WorkerProcessOptions } from './worker-process.ts';

export interface PoolOptions extends WorkerProcessOptions {
  /** Processor time of one job; what takes longer is killed. */
  max_ms: number;
  /** In the process that is kept for quick jobs: what takes longer there begins again in the other. */
  quick_ms: number;
  /** Whether a job can be quick at all. */
  isSmall: (message: never) => boolean;
  /** A process that had nothing to do for this long ends. */
  idle_ms: number;
  /** Jobs of one owner. */
  max_waiting: number;
}

/** The job was killed: it took too much time, or its process ran out of memory. */
export class JobLimit extends Error {
  constructor(limit: 'time' | 'memory') {
    super(limit === 'time' ? 'it takes too long' : 'it takes too much memory');
    this.name = 'JobLimit';
  }
}

export interface ProcessPool {
  /**
   * The answer of a process, when it is the owner's turn. Throws `JobLimit`, or `service_unavailable` when too many
   * jobs of the owner wait or the machine has no time for this one.
   */
  run(ownerId: number, message: unknown): Promise<unknown>;
  stop(): void;
}

interface Job {
  message: unknown;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

interface Tried {
  outcome: { answered: unknown } | Error;
  used_ms: number;
}

interface Slot {
  worker: WorkerProcess | undefined;
  is_busy: boolean;
  idle: NodeJS.Timeout | undefined;
  max_ms: number;
  takes: (job: Job, used_ms: number) => boolean;
}

/** As many of the longest quick jobs in the last half minute are little. */
const lightJobs = 10;
/** Of the job's processor time: on a machine that is busy with other things a job may take this much longer. */
const maxStretch = 20;

/**
 * Two processes that work on what strangers wrote. The first takes any job; the second only small ones, of owners who
 * used little time lately: an owner that keeps the first one busy delays no other.
 */
export function createProcessPool(options: PoolOptions): ProcessPool {
  const { max_ms, quick_ms, idle_ms, max_waiting } = options;
  const queue = new FairQueue<Job>(max_waiting);
  const lightMs = quick_ms * lightJobs;
  const empty = { worker: undefined, is_busy: false, idle: undefined };
  const isSmall = options.isSmall as (message: unknown) => boolean;
  const slots: Slot[] = [
    { ...empty, max_ms, takes: () => true },
    {
      ...empty,
      max_ms: quick_ms,
      takes: ({ message }, used_ms) => used_ms < lightMs && isSmall(message),
    },
  ];
  let isStopped = false;

  function dispatch(): void {
    for (const free of slots.filter(({ is_busy }) => !is_busy)) {
      const next = queue.take(performance.now(), free.takes);
      if (next) void work(free, next);
    }
  }

  async function work(at: Slot, { id, job }: { id: number; job: Job }): Promise<void> {
    at.is_busy = true;
    clearTimeout(at.idle);
    const { outcome, used_ms } = await attempt(at, job);
    const isTooSlow = outcome instanceof JobLimit && at.max_ms < max_ms;
    // What was too slow for the quick process is not tried there again.
    if (isTooSlow) queue.done(id, { used_ms: lightMs * 2, now: performance.now(), again: job });
    else queue.done(id, { used_ms, now: performance.now() });
    if (!(outcome instanceof Error)) job.resolve(outcome.answered);
    else if (!isTooSlow) job.reject(outcome);
    if (outcome instanceof JobLimit) void beReady(at);
    else leave(at);
  }

  /** The process in place of a killed one gets no job before it is ready: the other may have time for it. */
  async function beReady(at: Slot): Promise<void> {
    dispatch();
    await at.worker?.ready.catch(() => undefined);
    leave(at);
  }

  function leave(at: Slot): void {
    at.is_busy = false;
    at.idle = setTimeout(() => retire(at), idle_ms).unref();
    dispatch();
  }

  async function attempt(at: Slot, { message }: Job): Promise<Tried> {
    if (isStopped) return { outcome: unavailable(), used_ms: 0 };
    if (at.worker?.hasEnded()) at.worker = undefined;
    const worker = (at.worker ??= start());
    if (!worker) return { outcome: unavailable(), used_ms: 0 };
    const tried = await tryWithin(worker, message, at.max_ms);
    if (tried.outcome instanceof Error) {
      retire(at);
      // The next one need not wait for it.
      if (tried.outcome instanceof JobLimit && !isStopped) at.worker = start();
    }
    return tried;
  }

  /** Undefined when the system has no process to give, such as for want of memory. */
  function start(): WorkerProcess | undefined {
    try {
      return startWorkerProcess(options);
    } catch {
      return undefined;
    }
  }

  function retire(at: Slot): void {
    at.worker?.kill();
    at.worker = undefined;
  }

  return {
    async run(ownerId, message) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      if (!queue.add(ownerId, { message, resolve, reject })) throw unavailable();
      dispatch();
      return await promise;
    },
    stop() {
      isStopped = true;
      for (const each of slots) {
        clearTimeout(each.idle);
        retire(each);
      }
    },
  };
}

/** The time begins once the process is ready: it is not the job's fault that there was none. */
async function tryWithin(worker: WorkerProcess, message: unknown, max_ms: number): Promise<Tried> {
  try {
    await worker.ready;
  } catch (error) {
    return { outcome: unavailable(error), used_ms: 0 };
  }
  const usedMs = stopwatch(worker);
  const outcome = await askWithin(worker, message, { max_ms, usedMs }).catch(
    (error: unknown) => error as Error,
  );
  return { outcome, used_ms: usedMs() };
}

/** Processor time of the process, or where that is not known, or finer than it is measured, the time that passes. */
function stopwatch(worker: WorkerProcess): () => number {
  const [began, cpu_ms] = [performance.now(), worker.cpuMs()];
  return () => {
    const elapsed = performance.now() - began;
    const cpuNow = elapsed < 10 ? undefined : worker.cpuMs();
    return cpuNow === undefined || cpu_ms === undefined ? elapsed : cpuNow - cpu_ms;
  };
}

async function askWithin(
  worker: WorkerProcess,
  message: unknown,
  { max_ms, usedMs }: { max_ms: number; usedMs: () => number },
): Promise<{ answered: unknown }> {
  const until = performance.now() + max_ms * maxStretch;
  const { promise: late, resolve } = Promise.withResolvers<Error>();
  const look = (): void => {
    const left = max_ms - usedMs();
    if (left <= 0) resolve(new JobLimit('time'));
    else if (performance.now() >= until) resolve(unavailable());
    else timer = setTimeout(look, Math.max(left, 10));
  };
  let timer = setTimeout(look, max_ms);
  try {
    const outcome = await Promise.race([worker.ask(message), late]);
    if (outcome instanceof Error) throw outcome;
    if ('answered' in outcome) return outcome;
    throw outcome.by_itself ? new JobLimit('memory') : unavailable();
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(cause?: unknown): Problem {
  return new Problem('service_unavailable', { cause, retry_after_seconds: 5 });
}
