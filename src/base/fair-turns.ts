import { Problem } from './errors/problem.ts';
import { FairQueue } from './fair-queue.ts';

interface FairTurnsOptions {
  /** Of all owners together. */
  concurrency: number;
  /** Of one owner. */
  per_owner: number;
  max_waiting: number;
}

/** Runs the work when it is the owner's turn. Throws `rate_limit_exceeded` when too much of the owner waits already. */
export type FairTurns = <T>(owner: number, work: () => Promise<T>) => Promise<T>;

const retry_after_seconds = 1;

/** What one owner asks for, in whatever number, keeps others waiting for no more than what is under way. */
export function createFairTurns({ concurrency, per_owner, max_waiting }: FairTurnsOptions): FairTurns {
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
    if (!queue.add(owner, job)) throw new Problem('rate_limit_exceeded', { retry_after_seconds });
    next();
    return await promise;
  };
}
