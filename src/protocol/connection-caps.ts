export type CapVerdict = 'admitted' | 'too_many' | 'too_many_from_source';

export interface ConnectionCaps {
  admit(source: string): CapVerdict;
  /** Once for each that was admitted. */
  leave(source: string): void;
}

export function createConnectionCaps(max: number, maxPerSource: number): ConnectionCaps {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    admit(source) {
      const fromThere = counts.get(source) ?? 0;
      if (total >= max) return 'too_many';
      if (fromThere >= maxPerSource) return 'too_many_from_source';
      total += 1;
      counts.set(source, fromThere + 1);
      return 'admitted';
    },
    leave(source) {
      const fromThere = counts.get(source) ?? 0;
      total -= 1;
      if (fromThere > 1) counts.set(source, fromThere - 1);
      else counts.delete(source);
    },
  };
}
