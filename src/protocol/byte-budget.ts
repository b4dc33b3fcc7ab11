import { Counts } from './counts.ts';

/** The limit that was reached: the share of the owner, or the total. */
export type Shortage = 'share' | 'total';

export interface ByteLimits {
  total_bytes: number;
  /** Per owner. */
  share_bytes: number;
}

/** The reservation of one body or message. */
export interface ByteHold {
  /** Grows the reservation to this many bytes in total. On a shortage it stays as it was. */
  growTo(bytes: number): Shortage | undefined;
  release(): void;
}

/** For callers without a budget. */
export const unbounded: ByteHold = { growTo: () => undefined, release: () => undefined };

/** Larger reservations may not use the last part of a limit, so that they never starve small ones. */
export const smallBytes = 64 * 1024;
const largePart = 7 / 8;

/** A memory budget that owners share. */
export class ByteBudget {
  readonly limits: ByteLimits;
  readonly #above: (() => ByteHold) | undefined;
  /** Bytes by owner. */
  readonly #held = new Counts<string | number>();
  /** Number of shortages. */
  readonly refused: Record<Shortage, number> = { share: 0, total: 0 };

  /** With `above` every reservation is made in that budget too. */
  constructor(limits: ByteLimits, above?: () => ByteHold) {
    this.limits = limits;
    this.#above = above;
  }

  get used(): number {
    return this.#held.total;
  }

  hold(owner: string | number): ByteHold {
    const above = this.#above?.();
    let held = 0;
    return {
      growTo: (bytes) => {
        if (bytes <= held) return undefined;
        const shortage = this.#shortage(owner, bytes, held);
        if (shortage !== undefined) this.refused[shortage] += 1;
        const refusal = shortage ?? above?.growTo(bytes);
        if (refusal !== undefined) return refusal;
        this.#held.add(owner, bytes - held);
        held = bytes;
        return undefined;
      },
      release: () => {
        if (held === 0) return;
        this.#held.remove(owner, held);
        held = 0;
        above?.release();
      },
    };
  }

  #shortage(owner: string | number, bytes: number, held: number): Shortage | undefined {
    const part = bytes > smallBytes ? largePart : 1;
    const more = bytes - held;
    const { total_bytes, share_bytes } = this.limits;
    if (this.#held.of(owner) + more > share_bytes * part) return 'share';
    return this.used + more > total_bytes * part ? 'total' : undefined;
  }
}
