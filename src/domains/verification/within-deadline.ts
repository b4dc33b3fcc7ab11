/** Cancels what still runs at the deadline, and afterwards. */
export async function withinDeadline<T>(
  deadline_ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadline_ms);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}
