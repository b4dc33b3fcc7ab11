export interface Exchanger {
  /** In lower case, without a dot at the end. */
  name: string;
  preference: number;
}

type Random = () => number;

/** Lowest preference first; equal preferences in random order, which spreads the load (RFC 5321 §5.1). */
export function orderByPreference<T extends Exchanger>(exchangers: readonly T[], random: Random): T[] {
  const byName = new Map<string, T>();
  for (const exchanger of exchangers) {
    const known = byName.get(exchanger.name);
    if (known === undefined || exchanger.preference < known.preference) byName.set(exchanger.name, exchanger);
  }
  // Sorting keeps the order of equals.
  return shuffle([...byName.values()], random).sort((one, other) => one.preference - other.preference);
}

/** Removes our own host and all hosts that are not preferred over it, which prevents mail loops (RFC 5321 §5.1). */
export function cutAtOurselves<T extends Exchanger>(hosts: readonly T[], isOurs: (host: T) => boolean): T[] {
  const ours = hosts.filter(isOurs).map(({ preference }) => preference);
  const limit = Math.min(Infinity, ...ours);
  return hosts.filter(({ preference }) => preference < limit);
}

export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const moved = shuffled[last] as T;
    shuffled[last] = shuffled[other] as T;
    shuffled[other] = moved;
  }
  return shuffled;
}
