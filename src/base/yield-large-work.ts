/** Work on larger bodies blocks the event loop noticeably: about 4 ms per megabyte. */
const largeBytes = 1024 * 1024;

export function isLarge(bytes: number): boolean {
  return bytes > largeBytes;
}

let last: Promise<void> = Promise.resolve();

/**
 * Yields to the event loop so that at most one large body is processed per iteration. Otherwise all large bodies that
 * are complete at the same time would be processed before anything else.
 */
export async function yieldForLargeWork(): Promise<void> {
  last = last.then(async () => await new Promise((resolve) => void setImmediate(resolve)));
  await last;
}
