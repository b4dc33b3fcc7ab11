import { Problem } from './errors/problem.ts';
import { FairQueue } from './fair-queue.ts';

interface FairLimiterOptions {
  /** Over all owners. */
  concurrency: number;
  per_owner: number;
  /** Per owner. */
  max_waiting: number;
  /** What a caller gets when the queue of its owner is full; `rate_limit_exceeded` unless given. */
  refuse?: () => Problem;
}

/** Runs the work once the limits allow it. */
export type FairLimiter = <T>(owner: number, work: () => Promise<T>) => Promise<T>;

const tooMany = (): Problem => new Problem('rate_limit_exceeded', { retry_after_seconds: 1 });

/** Limits concurrency fairly: the backlog of one owner never delays another by more than the running work. */
export function createFairLimiter(options: FairLimiterOptions): FairLimiter {
  const { concurrency, per_owner, max_waiting, refuse = tooMany } = options;
  const queue = new FairQueue<() => Promise<void>>(max_waiting, per_owner);
  let running = 0;

  function next(): void {
    while (running < concurrency) {
      const taken = queue.take(performance.now());
      if (!taken) return;
      running += 1;
      void run(taken.id, taken.job);
    }
  }

  async function run(owner: number, job: () => Promise<void>): Promise<void> {
    const began = performance.now();
    await job();
    const now = performance.now();
    queue.done(owner, { used_ms: now - began, now });
    running -= 1;
    next();
  }

  return async <T>(owner: number, work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job = async (): Promise<void> => await work().then(resolve, reject);
    if (!queue.add(owner, job)) throw refuse();
    next();
    return await promise;
  };
}
