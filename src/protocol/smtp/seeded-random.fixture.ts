export type Random = (below: number) => number;

/** Mulberry32: small, and the same numbers everywhere. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function cutAtRandom(bytes: Buffer, random: Random): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + random(random(4) === 0 ? 3 : 200);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
