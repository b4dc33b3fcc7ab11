import { ByteBudget, type ByteHold, type ByteLimits, type Shortage } from '../protocol/byte-budget.ts';
import { sourceOf } from '../protocol/address/source-network.ts';

/** Memory budget for incoming bodies and messages of all listeners, until they are answered. */
export interface BodyMemory {
  ofInstance(id: number): ByteHold;
  /** For a caller that is not authenticated. */
  ofSource(address: string): ByteHold;
  readonly limits: ByteLimits;
  readonly used: number;
  readonly refused: Readonly<Record<Shortage, number>>;
}

const mebibyte = 1024 * 1024;

/** Enough for the largest body: 20 MB, and as much again inflated, within the part of a share that large bodies may use. */
export const minShareBytes = 48 * mebibyte;

export const defaultBodyMemory: ByteLimits = {
  total_bytes: 192 * mebibyte,
  share_bytes: 64 * mebibyte,
};

/**
 * Part of the budget of all unauthenticated callers (the share of one instance) that one network may use: of the least share, a
 * received mail of 25 MB within the part that large bodies may use.
 */
const sourcePart = 5 / 8;

export function createBodyMemory(limits: ByteLimits): BodyMemory {
  const all = new ByteBudget(limits);
  const { share_bytes } = limits;
  const unauthenticated = new ByteBudget(
    { total_bytes: share_bytes, share_bytes: share_bytes * sourcePart },
    () => all.hold('unauthenticated'),
  );
  return {
    ofInstance: (id) => all.hold(id),
    ofSource: (address) => unauthenticated.hold(sourceOf(address)),
    limits,
    get used() {
      return all.used;
    },
    get refused() {
      return {
        share: all.refused.share + unauthenticated.refused.share,
        total: all.refused.total + unauthenticated.refused.total,
      };
    },
  };
}

/** Threads share the memory of the process, but each counts its own use. */
export function limitsPerThread({ total_bytes, share_bytes }: ByteLimits, threads: number): ByteLimits {
  return {
    total_bytes: Math.floor(total_bytes / threads),
    share_bytes: Math.max(minShareBytes, Math.floor(share_bytes / threads)),
  };
}
