import { Problem } from '../errors/problem.ts';
import { FairQueue } from '../fair-queue.ts';
import { startWorkerProcess, type WorkerProcess, type WorkerProcessOptions } from './worker-process.ts';

export interface PoolOptions extends WorkerProcessOptions {
  /** Processor time of one job; what takes longer is killed. */
  max_ms: number;
  /** In the process that is kept for quick jobs: what takes longer there begins again in the other. */
  quick_ms: number;
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

interface Slot {
  worker: WorkerProcess | undefined;
  is_busy: boolean;
  idle: NodeJS.Timeout | undefined;
  max_ms: number;
  /** Only for owners who used less than this lately. */
  below_ms: number;
}

/** As many of the longest quick jobs in the last half minute are little. */
const light_jobs = 10;
/** Of the job's processor time: on a machine that is busy with other things a job may take this much longer. */
const most_stretch = 20;

/**
 * Two processes that work on what strangers wrote. The first takes any job; the second only those of owners who used
 * little time lately, so that whoever keeps the first one busy is in nobody's way.
 */
export function createProcessPool(options: PoolOptions): ProcessPool {
  const { max_ms, quick_ms, idle_ms, max_waiting } = options;
  const queue = new FairQueue<Job>(max_waiting);
  const slot = (limits: { max_ms: number; below_ms: number }): Slot => ({
    worker: undefined,
    is_busy: false,
    idle: undefined,
    ...limits,
  });
  const light_ms = quick_ms * light_jobs;
  const slots = [slot({ max_ms, below_ms: Infinity }), slot({ max_ms: quick_ms, below_ms: light_ms })];
  let isStopped = false;

  function dispatch(): void {
    for (const free of slots.filter(({ is_busy }) => !is_busy)) {
      const next = queue.take(performance.now(), free.below_ms);
      if (next) void work(free, next);
    }
  }

  async function work(at: Slot, { id, job }: { id: number; job: Job }): Promise<void> {
    at.is_busy = true;
    clearTimeout(at.idle);
    const began = performance.now();
    const outcome = await attempt(at, job).catch((error: unknown) => error as Error);
    const again = outcome instanceof JobLimit && at.max_ms < max_ms ? job : undefined;
    // What was too slow for the quick process is not tried there again.
    const used_ms = again ? light_ms * 2 : performance.now() - began;
    queue.done(id, { used_ms, now: performance.now(), again });
    if (outcome instanceof Error && !again) job.reject(outcome);
    else if (!again) job.resolve((outcome as { answered: unknown }).answered);
    at.is_busy = false;
    at.idle = setTimeout(() => retire(at), idle_ms).unref();
    dispatch();
  }

  async function attempt(at: Slot, { message }: Job): Promise<{ answered: unknown }> {
    if (isStopped) throw unavailable();
    if (at.worker?.hasEnded()) at.worker = undefined;
    const worker = (at.worker ??= startWorkerProcess(options));
    try {
      await worker.ready;
      return await askWithin(worker, message, at.max_ms);
    } catch (error) {
      retire(at);
      // The next one need not wait for it.
      if (error instanceof JobLimit && !isStopped) at.worker = startWorkerProcess(options);
      throw error;
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

async function askWithin(
  worker: WorkerProcess,
  message: unknown,
  max_ms: number,
): Promise<{ answered: unknown }> {
  const clock = { cpu_ms: worker.cpuMs(), began: performance.now() };
  const { promise: late, resolve } = Promise.withResolvers<Error>();
  const look = (): NodeJS.Timeout | void => {
    const elapsed = performance.now() - clock.began;
    const cpu_ms = worker.cpuMs();
    const used = cpu_ms === undefined || clock.cpu_ms === undefined ? elapsed : cpu_ms - clock.cpu_ms;
    if (used >= max_ms) return resolve(new JobLimit('time'));
    if (elapsed >= max_ms * most_stretch) return resolve(unavailable());
    timer = setTimeout(look, Math.max(max_ms - used, 10));
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

function unavailable(): Problem {
  return new Problem('service_unavailable', { retry_after_seconds: 5 });
}
