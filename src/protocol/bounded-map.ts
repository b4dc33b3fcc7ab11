export interface BoundedMapOptions {
  max_entries: number;
  /** Whose entry makes room: the one that was set longest ago, or the one that was neither set nor read for longest. */
  evicts?: 'least_recently_set' | 'least_recently_used';
  /** How long an entry counts after it was set, by the monotonic clock of the process; for ever unless said. */
  ttl_ms?: number;
}

interface Entry<Value> {
  value: Value;
  expires_at: number;
}

/** A map for what is remembered of keys that others choose: it never has more than so many of them. */
export class BoundedMap<Key, Value> {
  /** In the order in which they make room. */
  readonly #entries = new Map<Key, Entry<Value>>();
  readonly #max: number;
  readonly #movesOnUse: boolean;
  readonly #ttl: number;

  constructor({ max_entries, evicts, ttl_ms = Infinity }: BoundedMapOptions) {
    this.#max = max_entries;
    this.#movesOnUse = evicts === 'least_recently_used';
    this.#ttl = ttl_ms;
  }

  /** Entries that have expired since are in it. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const entry = this.#find(key);
    if (entry !== undefined && this.#movesOnUse) this.#putLast(key, entry);
    return entry?.value;
  }

  has(key: Key): boolean {
    return this.#find(key) !== undefined;
  }

  /** What is there already, or else what `make` gives. */
  getOrSet(key: Key, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  set(key: Key, value: Value, ttl_ms = this.#ttl): void {
    const expires_at = ttl_ms === Infinity ? Infinity : performance.now() + ttl_ms;
    this.#putLast(key, { value, expires_at });
    if (this.#entries.size <= this.#max) return;
    const [first] = this.#entries.keys();
    this.#entries.delete(first as Key);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  *keys(): Generator<Key> {
    for (const key of this.#entries.keys()) if (this.has(key)) yield key;
  }

  #find(key: Key): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expires_at === Infinity || entry.expires_at > performance.now())
      return entry;
    this.#entries.delete(key);
    return undefined;
  }

  #putLast(key: Key, entry: Entry<Value>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }
}
