import { Problem } from '../base/errors/problem.ts';
import { createFairLimiter } from '../base/fair-limiter.ts';

/** argon2 takes 19 MiB and a thread of libuv's pool each; one of four threads is left for files, DNS and gzip. */
const concurrency = 3;
/** About two seconds of work on two cores; beyond that a prompt 503 is better than a wait. */
const max_waiting = 64;

export interface HashingQueue {
  /** Throws `service_unavailable` when the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Bounds CPU and memory of password hashing under a flood of sign-ins. First in, first out. */
export function createHashingQueue(limits = { concurrency, max_waiting }): HashingQueue {
  const limiter = createFairLimiter({
    ...limits,
    per_owner: limits.concurrency,
    refuse: () => new Problem('service_unavailable', { retry_after_seconds: 2 }),
  });
  // One owner: callers are not known before their password is checked.
  return { run: async (work) => await limiter(0, work) };
}
