export interface Backoff {
  /** After the first failure; doubled after each further one. */
  first_ms: number;
  most_ms: number;
}

/** Exponential backoff: the delay after so many failures in a row. */
export function backoffDelay(failures: number, { first_ms, most_ms }: Backoff): number {
  return Math.min(first_ms * 2 ** Math.min(failures - 1, 30), most_ms);
}
