import { ConnectionError, Problem } from './problem.ts';

export interface RetryPolicy {
  /** How often a call is made at most. */
  attempts: number;
  /** No wait is longer, also when the service asks for more: the call then fails. */
  max_wait_ms: number;
}

/**
 * Whether the call can be made again without doing its work twice. Reads always can. A write only when the service says
 * that it stored nothing: 429 for every write, 503 for a send. A lost connection says nothing.
 */
function isSafe(route: string, failure: unknown): boolean {
  if (!(failure instanceof Problem)) return route.startsWith('GET ') && failure instanceof ConnectionError;
  const { status } = failure;
  if (status === 429) return true;
  return status === 503 && (route.startsWith('GET ') || route.endsWith('/v1/mails/send'));
}

/** Runs the call until it succeeds or must not be repeated. */
export async function withRetries<T>(
  route: string,
  { attempts, max_wait_ms, signal }: RetryPolicy & { signal?: AbortSignal | undefined },
  call: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (failure) {
      const asked = failure instanceof Problem ? (failure.retry_after ?? 0) * 1000 : 0;
      // Exponential backoff with full jitter, not before the service wants it.
      const wait = asked + Math.random() * Math.min(max_wait_ms, 250 * 2 ** attempt);
      const isOver = attempt >= attempts || asked > max_wait_ms || signal?.aborted;
      if (isOver || !isSafe(route, failure)) throw failure;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
