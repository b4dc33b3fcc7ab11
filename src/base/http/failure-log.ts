import type { FastifyRequest } from 'fastify';
import type { Problem } from '../errors/problem.ts';
import type { Log } from '../log.ts';
import { isLostStore } from './request-errors.ts';

interface Failure {
  error: unknown;
  problem: Problem;
  request: FastifyRequest;
  /** More to find it by, such as the name of a tool. */
  details?: Record<string, unknown>;
}

/** While the database is out of reach every request fails for the same reason: 12,000 lines with a stack in 25 s of a test. */
const lostEveryMs = 10_000;
const lost = new WeakMap<Log, { requests: number; logged_at: number }>();

/** Logs what is not the caller's fault: each unexpected error, and a line every ten seconds while the database is out of reach. */
export function logFailure(log: Log, { error, problem, request, details }: Failure): void {
  const context = {
    err:
      error instanceof Error ? error : new Error('A value that is not an error was thrown', { cause: error }),
    request_id: request.id,
    trace_id: request.trace_id,
    ...details,
  };
  if (problem.code === 'internal_error') log.error(context, 'unexpected error');
  if (!isLostStore(error, problem)) return;
  const outage = lost.get(log) ?? { requests: 0, logged_at: -Infinity };
  lost.set(log, outage);
  outage.requests += 1;
  if (performance.now() - outage.logged_at < lostEveryMs) return;
  log.warn({ ...context, requests: outage.requests }, 'the store is out of reach');
  Object.assign(outage, { requests: 0, logged_at: performance.now() });
}
