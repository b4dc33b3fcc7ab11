import { Problem } from '../base/errors/problem.ts';

/** argon2 takes 19 MiB and a thread of libuv's pool each; one of four threads is left for files, DNS and gzip. */
const concurrency = 3;
/** About two seconds of work on two cores; beyond that a prompt 503 is better than a wait. */
const max_waiting = 64;

export interface HashingQueue {
  /** Throws `service_unavailable` when the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Bounds CPU and memory of password hashing under a flood of sign-ins. */
export function createHashingQueue(limits = { concurrency, max_waiting }): HashingQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < limits.concurrency) {
      running += 1;
      return;
    }
    if (waiting.length >= limits.max_waiting) {
      throw new Problem('service_unavailable', { retry_after_seconds: 2 });
    }
    // The finishing caller passes its slot on, so that the queue is strictly first in, first out.
    await new Promise<void>((resolve) => void waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
