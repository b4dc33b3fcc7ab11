/** Bytes of messages held at one time by everyone who shares the budget. */
export interface MemoryBudget {
  /** False, and nothing taken, when there is no room for so many. */
  take(bytes: number): boolean;
  release(bytes: number): void;
  readonly used: number;
}

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    release(bytes) {
      used -= bytes;
    },
    get used() {
      return used;
    },
  };
}
