import type { Clock } from '../clock.ts';

interface CacheOptions<Key, Value> {
  load: (key: Key) => Promise<Value>;
  clock: Clock;
  /** The longest a change can go unnoticed when its notification is lost. */
  ttl_ms: number;
  max_entries: number;
}

export interface Cache<Key, Value> {
  get(key: Key): Promise<Value>;
  forget(key: Key): void;
  clear(): void;
}

interface Entry<Value> {
  value: Promise<Value>;
  loaded_at: number;
}

/**
 * Remembers what `load` found, absence included, so that hot keys cost no query. Concurrent callers of one key share
 * one load; a failed load is not remembered; the entries least recently loaded make room for new ones.
 */
export function createCache<Key, Value>(options: CacheOptions<Key, Value>): Cache<Key, Value> {
  const entries = new Map<Key, Entry<Value>>();

  function load(key: Key): Promise<Value> {
    const entry: Entry<Value> = { value: options.load(key), loaded_at: options.clock.now().getTime() };
    entries.delete(key);
    entries.set(key, entry);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    if (entries.size > options.max_entries) {
      const [oldest] = entries.keys();
      entries.delete(oldest as Key);
    }
    return entry.value;
  }

  return {
    // Hands out the remembered promise itself: hot keys are asked for at every request.
    get(key) {
      const entry = entries.get(key);
      const fresh = entry !== undefined && options.clock.now().getTime() - entry.loaded_at < options.ttl_ms;
      return fresh ? entry.value : load(key);
    },
    forget: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
