/**
 * Shares what `load` gave for some time after it came. Concurrent callers share one load. A failure is not cached: it says
 * nothing about what was asked for.
 */
export function cachedFor<T>(ms: number, load: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  let expires_at = Infinity;

  async function loadAnew(): Promise<T> {
    expires_at = Infinity;
    try {
      const value = await load();
      expires_at = performance.now() + ms;
      return value;
    } catch (error) {
      expires_at = -Infinity;
      throw error;
    }
  }

  return () => {
    if (performance.now() >= expires_at) known = undefined;
    return (known ??= loadAnew());
  };
}
