export interface TokenRate {
  /** Tokens that come back each second. */
  per_second: number;
  /** The most there are. */
  burst: number;
}

/** Tokens that are spent and come back with time, which is given in milliseconds from any fixed point. */
export class TokenBucket {
  readonly #rate: TokenRate;
  #tokens: number;
  #at: number;

  /** Full. */
  constructor(rate: TokenRate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** Less than nothing while it is overdrawn. */
  available(now: number): number {
    const earned = (Math.max(0, now - this.#at) / 1000) * this.#rate.per_second;
    return Math.min(this.#rate.burst, this.#tokens + earned);
  }

  /** False, and nothing taken, when there are not so many. */
  take(amount: number, now: number): boolean {
    if (this.available(now) < amount) return false;
    this.overdraw(amount, now);
    return true;
  }

  /** Takes what has been used already, whether it is there or not. */
  overdraw(amount: number, now: number): void {
    this.#tokens = this.available(now) - amount;
    this.#at = now;
  }

  /** How long until there are so many. */
  waitMs(amount: number, now: number): number {
    return Math.max(0, ((amount - this.available(now)) / this.#rate.per_second) * 1000);
  }
}
