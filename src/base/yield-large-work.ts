import { setTimeout as delay } from 'node:timers/promises';

/** Work on larger bodies blocks the event loop noticeably: about 4 ms per megabyte. */
const largeBytes = 1024 * 1024;

export function isLarge(bytes: number): boolean {
  return bytes > largeBytes;
}

/** A request takes about ten iterations: work that is longer than this delays it noticeably. */
const noticeableMs = 10;
const longestPauseMs = 500;

let last: Promise<void> = Promise.resolve();

/**
 * Yields to the event loop so that at most one large body is processed per iteration, and at most half of the time.
 * Otherwise all large bodies that are complete at the same time would be processed before anything else.
 */
export async function yieldForLargeWork(): Promise<void> {
  const turn = last.then(nextIteration);
  // Registered before the caller continues, so it sees how long that takes.
  last = turn.then(pauseAfterWork);
  await turn;
}

/** A message with 24,000 links takes 0.2 s to build. */
async function pauseAfterWork(): Promise<void> {
  const began = performance.now();
  await nextIteration();
  const tookMs = performance.now() - began;
  if (tookMs > noticeableMs) await delay(Math.min(tookMs, longestPauseMs));
}

async function nextIteration(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
}
