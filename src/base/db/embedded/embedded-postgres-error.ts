/** A condition the operator can act on: its message is the one line to print, without a stack. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Processes of a killed server hold its memory until they notice, at their next wait for work or disk. */
export const retryWhileHeld = {
  first_ms: 100,
  most_ms: 100,
  within_ms: 15_000,
  isRetryable: (error: unknown): boolean => /pre-existing shared memory block/.test((error as Error).message),
};

/** The `code` of a Node or PostgreSQL error, if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
