interface Level {
  used: number;
  at: number;
}

export interface SourceLimit {
  /** How many at once, and how many of them come back each second. */
  burst: number;
  per_second: number;
}

export interface SourceLimits {
  /** Counts one; false when the source has had its share for now. */
  take(source: string): boolean;
  /** Whether there is any left, without counting. */
  has(source: string): boolean;
}

/** Sources remembered; the one that was quiet for longest is forgotten first. */
const most_sources = 20_000;

/** Leaking buckets, one for each source address, in this process alone: they keep it on its feet, not the world fair. */
export function createSourceLimits({ burst, per_second }: SourceLimit, now: () => number): SourceLimits {
  const levels = new Map<string, Level>();
  const usedBy = (source: string): number => {
    const level = levels.get(source);
    return level ? Math.max(0, level.used - ((now() - level.at) / 1000) * per_second) : 0;
  };
  return {
    has: (source) => usedBy(source) + 1 <= burst,
    take(source) {
      const used = usedBy(source);
      const isAllowed = used + 1 <= burst;
      levels.delete(source);
      levels.set(source, { used: isAllowed ? used + 1 : used, at: now() });
      if (levels.size > most_sources) levels.delete(levels.keys().next().value ?? '');
      return isAllowed;
    },
  };
}
