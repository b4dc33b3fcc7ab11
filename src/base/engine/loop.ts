import type { Log } from '../log.ts';
import { createOutageLog } from './outage-log.ts';

interface LoopOptions {
  /** For the log, such as `claiming mail`. */
  name: string;
  log: Log;
  /** One iteration. Returns the milliseconds to wait before the next one; a wake-up ends the wait. */
  step: () => Promise<number>;
}

export interface Loop {
  start: () => void;
  /** Ends the current wait. During an iteration it skips the next wait: the iteration may have missed the event. */
  wake: () => void;
  /** Waits for the running iteration. */
  stop: () => Promise<void>;
}

const retryDelayMs = 500;

/** Repeats a step until it is stopped. A failed step is retried after a delay. */
export function createLoop({ name, log, step }: LoopOptions): Loop {
  const outage = createOutageLog(log, name);
  let isStopping = false;
  let isWoken = false;
  let endWait = (): void => undefined;
  let running: Promise<void> | undefined;

  async function wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    endWait = resolve;
    await promise;
    clearTimeout(timer);
    endWait = () => undefined;
  }

  async function iterate(): Promise<number> {
    try {
      const next = await step();
      outage.worked();
      return next;
    } catch (error) {
      outage.failed(error);
      // A wake-up must not turn a failing step into a busy loop.
      isWoken = false;
      return retryDelayMs;
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      isWoken = false;
      const ms = await iterate();
      if (ms > 0 && !isWoken && !isStopping) await wait(ms);
    }
  }

  const wake = (): void => {
    isWoken = true;
    endWait();
  };
  return {
    start() {
      running ??= run();
    },
    wake,
    async stop() {
      isStopping = true;
      wake();
      await running;
    },
  };
}
