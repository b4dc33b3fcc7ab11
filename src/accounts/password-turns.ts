import { Problem } from '../base/errors/problem.ts';

/**
 * Checks that run at once: argon2 takes 19 MiB and a thread of libuv's pool each, and one of its four threads is
 * left to files, DNS and gzip.
 */
const at_once = 3;
/** About two seconds of work on two cores. Whoever comes after that is better served by an answer than by a wait. */
const most_waiting = 64;

export interface Turns {
  /** Runs `work` when it is its turn; throws `service_unavailable` when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Keeps a flood of sign-ins from taking the CPU and the memory of everything else in the process. */
export function createTurns(limits = { at_once, most_waiting }): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < limits.at_once) {
      running += 1;
      return;
    }
    if (waiting.length >= limits.most_waiting) {
      throw new Problem('service_unavailable', { retry_after_seconds: 2 });
    }
    // Whoever leaves hands over its place, so nobody slips in between.
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
