import { BoundedMap } from '../../protocol/bounded-map.ts';
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

/**
 * Remembers what `load` found, absence included, so that hot keys cost no query. Concurrent callers of one key share
 * one load; a failed load is not remembered; the entries least recently loaded make room for new ones.
 */
export function createCache<Key, Value>(options: CacheOptions<Key, Value>): Cache<Key, Value> {
  const { clock, max_entries, ttl_ms } = options;
  const entries = new BoundedMap<Key, Promise<Value>>({
    max_entries,
    ttl_ms,
    now: () => clock.now().getTime(),
  });

  function load(key: Key): Promise<Value> {
    const value = options.load(key);
    entries.set(key, value);
    value.catch(() => {
      if (entries.get(key) === value) entries.delete(key);
    });
    return value;
  }

  return {
    // Hands out the remembered promise itself: hot keys are asked for at every request.
    get: (key) => entries.get(key) ?? load(key),
    forget: (key) => entries.delete(key),
    clear: () => entries.clear(),
  };
}
