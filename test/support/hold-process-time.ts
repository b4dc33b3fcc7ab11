import type { TestContext } from 'node:test';

/** Holds the monotonic time of this process, by which caches expire, until the test moves it. */
export function holdProcessTime(t: TestContext): { advance(ms: number): void } {
  // Whole milliseconds: sums of fractions would miss a limit by a rounding error.
  let now = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => now);
  return {
    advance(ms) {
      now += ms;
    },
  };
}
