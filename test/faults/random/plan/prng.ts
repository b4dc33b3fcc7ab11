import { createHash } from 'node:crypto';

/** The same name, the same numbers, on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Both ends included. */
  integer(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Each as often as its weight says. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T;
  /** Some of them, each at most once. */
  sample<T>(from: readonly T[], count: number): T[];
  /** One for a part of the plan, which does not change when another part takes more numbers. */
  fork(name: string): Random;
}

export function createRandom(name: string): Random {
  const next = sfc32(createHash('sha256').update(name).digest());
  const random: Random = {
    next,
    integer: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (share) => next() < share,
    pick: (from) => {
      const value = from[Math.floor(next() * from.length)];
      if (value === undefined) throw new Error(`nothing to pick from for ${name}`);
      return value;
    },
    weighted: (from) => {
      let left = next() * from.reduce((sum, [weight]) => sum + weight, 0);
      const found = from.find(([weight]) => (left -= weight) < 0) ?? from.at(-1);
      if (found === undefined) throw new Error(`nothing to pick from for ${name}`);
      return found[1];
    },
    sample: (from, count) => {
      const rest = [...from];
      const taken = [];
      while (taken.length < count && rest.length > 0) {
        taken.push(...rest.splice(Math.floor(next() * rest.length), 1));
      }
      return taken;
    },
    fork: (part) => createRandom(`${name}/${part}`),
  };
  return random;
}

/** Small Fast Counter by Chris Doty-Humphrey (PractRand), 32 bits. */
function sfc32(seed: Buffer): () => number {
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readUInt32LE(at)) as [number, number, number, number];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
