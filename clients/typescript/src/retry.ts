import { ConnectionError, Problem } from './problem.ts';

export interface RetryPolicy {
  /** How often a call is made at most. */
  attempts: number;
  /** No wait is longer, also when the service asks for more: the call then fails. */
  max_wait_ms: number;
}

interface Repeated extends RetryPolicy {
  signal?: AbortSignal | undefined;
  /** The service recognises the call: a repeated one does nothing twice. */
  is_keyed: boolean;
}

/**
 * Whether the call can be made again without doing its work twice. Reads always can, and so can what has an idempotency key. Any
 * other write only when the service says that it stored nothing, with 429. A lost connection says nothing.
 */
function isSafe(route: string, is_keyed: boolean, failure: unknown): boolean {
  const isRepeatable = is_keyed || route.startsWith('GET ');
  if (!(failure instanceof Problem)) return isRepeatable && failure instanceof ConnectionError;
  const { status, code } = failure;
  if (status === 429 || code === 'idempotency_in_progress') return true;
  return status === 503 && isRepeatable;
}

/** Runs the call until it succeeds or must not be repeated. */
export async function withRetries<T>(
  route: string,
  { attempts, max_wait_ms, signal, is_keyed }: Repeated,
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
      if (isOver || !isSafe(route, is_keyed, failure)) throw failure;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
