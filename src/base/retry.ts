import { setTimeout as delay } from 'node:timers/promises';
import { backoffDelay, type Backoff } from '../protocol/backoff.ts';

export interface RetryOptions extends Backoff {
  isRetryable: (error: unknown) => boolean;
  /** A failure after this time is final. */
  within_ms?: number;
  /** Ends the retries: the failure before it is final. */
  signal?: AbortSignal | undefined;
  /** Before each delay. It may throw instead. */
  onFailure?: (error: unknown, failures: number) => Promise<void> | void;
  /** Changes each delay at random by up to this share. */
  jitter?: number;
}

/** Repeats the work with exponential backoff until it succeeds or fails for another reason. */
export async function retry<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { isRetryable, within_ms = Infinity, signal, onFailure, jitter = 0 } = options;
  const until = performance.now() + within_ms;
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || signal?.aborted || performance.now() > until) throw error;
      await onFailure?.(error, failures);
    }
    const wait = backoffDelay(failures, options) * (1 + jitter * (2 * Math.random() - 1));
    // Woken by the signal it tries once more, as callers expect of work that may be stored already.
    await delay(wait, undefined, { signal }).catch(() => undefined);
  }
}
