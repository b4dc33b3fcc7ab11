import { setTimeout as sleep } from 'node:timers/promises';

type Falsy = undefined | null | false;

export interface WaitOptions {
  timeout_ms?: number;
  /** Between the first two looks; it grows by a fifth each time, up to 100 ms. */
  interval_ms?: number;
  /** Named in the error; a function is asked only then, so that it can say how far things got. */
  what?: string | (() => string);
}

/**
 * Asks `condition` again and again until it gives something truthy, and resolves with that.
 * The bound holds even over a condition whose promise never settles; an error it throws ends the wait.
 */
export async function waitFor<T>(
  condition: () => T | Falsy | Promise<T | Falsy>,
  { timeout_ms = 20_000, interval_ms = 10, what = 'the condition' }: WaitOptions = {},
): Promise<T> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const subject = typeof what === 'function' ? what() : what;
    expiry.reject(new Error(`waited ${timeout_ms} ms in vain for ${subject}`));
  }, timeout_ms);
  try {
    for (let interval = interval_ms; ; interval = Math.max(interval, Math.min(interval * 1.2, 100))) {
      const value = await Promise.race([condition(), expiry.promise]);
      if (value) return value;
      await Promise.race([sleep(interval), expiry.promise]);
    }
  } finally {
    clearTimeout(timer);
  }
}
