/** A count for each key, and their sum. Keys whose count is 0 are forgotten. */
export class Counts<Key> {
  readonly #counts = new Map<Key, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key, change = 1): void {
    this.#total += change;
    const count = this.of(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }

  remove(key: Key, change = 1): void {
    this.add(key, -change);
  }

  entries(): IterableIterator<[Key, number]> {
    return this.#counts.entries();
  }
}
