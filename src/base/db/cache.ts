import { BoundedMap } from '../../protocol/bounded-map.ts';

interface CacheOptions<Key, Value> {
  load: (key: Key) => Promise<Value>;
  /** Maximum staleness when a notification is lost. */
  ttl_ms: number;
  max_entries: number;
}

export interface Cache<Key, Value> {
  get: (key: Key) => Promise<Value>;
  /** What is held of a key; nothing is loaded. */
  peek: (key: Key) => Promise<Value> | undefined;
  forget(key: Key): void;
  clear(): void;
}

/**
 * Caches what `load` returned, absence included. Concurrent callers of one key share one load; failures are not cached; the
 * entries loaded first are evicted first.
 */
export function createCache<Key, Value>(options: CacheOptions<Key, Value>): Cache<Key, Value> {
  const { max_entries, ttl_ms } = options;
  const entries = new BoundedMap<Key, Promise<Value>>({ max_entries, ttl_ms });

  function load(key: Key): Promise<Value> {
    const value = options.load(key);
    entries.set(key, value);
    value.catch(() => {
      if (entries.get(key) === value) entries.delete(key);
    });
    return value;
  }

  return {
    // Returns the cached promise itself: no allocation for hot keys.
    get: (key) => entries.get(key) ?? load(key),
    peek: (key) => entries.get(key),
    forget: (key) => entries.delete(key),
    clear: () => entries.clear(),
  };
}
