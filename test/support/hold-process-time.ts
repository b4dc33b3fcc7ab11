import type { TestContext } from 'node:test';

/** Holds the monotonic time of this process, by which caches expire, until the test moves it. */
export function holdProcessTime(t: TestContext): { advance(ms: number): void } {
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  return {
    advance(ms) {
      now += ms;
    },
  };
}
