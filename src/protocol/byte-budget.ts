/** What there is not enough of: the owner's share, or what all owners have together. */
export type Shortage = 'share' | 'total';

export interface ByteLimits {
  total_bytes: number;
  /** The most that one owner has at a time. */
  share_bytes: number;
}

/** The bytes of one body or message, on a budget until they are released. */
export interface ByteHold {
  /** Makes them this many in all. On a shortage they stay as many as they were. */
  reach(bytes: number): Shortage | undefined;
  release(): void;
}

/** For who has no budget. */
export const unbounded: ByteHold = { reach: () => undefined, release: () => undefined };

/** Up to this size bytes may be had from the whole of a limit, beyond it from all but a part: large never shuts out small. */
export const small_bytes = 64 * 1024;
const large_part = 7 / 8;

/** Bytes held in memory at one time by everyone who shares the budget. */
export class ByteBudget {
  readonly limits: ByteLimits;
  readonly #above: (() => ByteHold) | undefined;
  readonly #shares = new Map<string, number>();
  /** How often there was none of which. */
  readonly refused: Record<Shortage, number> = { share: 0, total: 0 };
  #used = 0;

  /** With `above` each hold needs room there too. */
  constructor(limits: ByteLimits, above?: () => ByteHold) {
    this.limits = limits;
    this.#above = above;
  }

  get used(): number {
    return this.#used;
  }

  hold(owner: string): ByteHold {
    const above = this.#above?.();
    let held = 0;
    return {
      reach: (bytes) => {
        if (bytes <= held) return undefined;
        const shortage = this.#shortage(owner, bytes, held);
        if (shortage !== undefined) this.refused[shortage] += 1;
        const refusal = shortage ?? above?.reach(bytes);
        if (refusal !== undefined) return refusal;
        this.#add(owner, bytes - held);
        held = bytes;
        return undefined;
      },
      release: () => {
        if (held === 0) return;
        this.#add(owner, -held);
        held = 0;
        above?.release();
      },
    };
  }

  #shortage(owner: string, bytes: number, held: number): Shortage | undefined {
    const part = bytes > small_bytes ? large_part : 1;
    const more = bytes - held;
    const { total_bytes, share_bytes } = this.limits;
    if ((this.#shares.get(owner) ?? 0) + more > share_bytes * part) return 'share';
    return this.#used + more > total_bytes * part ? 'total' : undefined;
  }

  #add(owner: string, bytes: number): void {
    this.#used += bytes;
    const share = (this.#shares.get(owner) ?? 0) + bytes;
    if (share === 0) this.#shares.delete(owner);
    else this.#shares.set(owner, share);
  }
}
