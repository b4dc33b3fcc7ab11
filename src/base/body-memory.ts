import { ByteBudget, type ByteHold, type ByteLimits, type Shortage } from '../protocol/byte-budget.ts';
import { sourceOf } from '../protocol/address/source-network.ts';

/** Bytes of bodies and messages that are on their way in, by whatever listener, until they are answered. */
export interface BodyMemory {
  ofInstance(id: number): ByteHold;
  /** Of a caller that has not said who it is. */
  ofSource(address: string): ByteHold;
  readonly limits: ByteLimits;
  readonly used: number;
  readonly refused: Readonly<Record<Shortage, number>>;
}

const mebibyte = 1024 * 1024;

/** Room for the largest body there is: 20 MB and as much again inflated, of the part that is for large ones. */
export const min_share_bytes = 48 * mebibyte;

export const default_body_memory: ByteLimits = {
  total_bytes: 192 * mebibyte,
  share_bytes: 64 * mebibyte,
};

/** One network has this part of what all unknown callers have together, which is the share of one instance. */
const source_part = 1 / 4;

export function createBodyMemory(limits: ByteLimits): BodyMemory {
  const all = new ByteBudget(limits);
  const { share_bytes } = limits;
  const unknown = new ByteBudget({ total_bytes: share_bytes, share_bytes: share_bytes * source_part }, () =>
    all.hold('unknown'),
  );
  return {
    ofInstance: (id) => all.hold(`instance ${id}`),
    ofSource: (address) => unknown.hold(sourceOf(address)),
    limits,
    get used() {
      return all.used;
    },
    get refused() {
      return {
        share: all.refused.share + unknown.refused.share,
        total: all.refused.total + unknown.refused.total,
      };
    },
  };
}

/** What one of a process's threads has of the limits: threads share the process's memory, but count for themselves. */
export function limitsPerThread({ total_bytes, share_bytes }: ByteLimits, threads: number): ByteLimits {
  return {
    total_bytes: Math.floor(total_bytes / threads),
    share_bytes: Math.max(min_share_bytes, Math.floor(share_bytes / threads)),
  };
}
