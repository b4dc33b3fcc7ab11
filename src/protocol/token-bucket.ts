export interface TokenRate {
  /** Tokens that come back each second. */
  per_second: number;
  /** The most there are. */
  burst: number;
}

/** Sums of fractions may fall short of a whole token by the last bit. */
const rounding = 1e-9;

/** Tokens that are spent and come back with time, which is given in milliseconds from any fixed point. */
export class TokenBucket {
  #rate: TokenRate;
  #tokens: number;
  #at: number;

  /** Full. */
  constructor(rate: TokenRate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** Less than nothing while it is overdrawn. A clock that was set back adds nothing, and goes on from there. */
  available(now: number): number {
    const earned = (Math.max(0, now - this.#at) / 1000) * this.#rate.per_second;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + earned);
    this.#at = now;
    return this.#tokens;
  }

  /** False, and nothing taken, when there are not so many. */
  take(amount: number, now: number): boolean {
    if (this.available(now) < amount - rounding) return false;
    this.#tokens -= amount;
    return true;
  }

  /** Takes what has been used already, whether it is there or not. */
  overdraw(amount: number, now: number): void {
    this.#tokens = this.available(now) - amount;
  }

  /** How long until there are so many. */
  waitMs(amount: number, now: number): number {
    return Math.max(0, ((amount - this.available(now)) / this.#rate.per_second) * 1000);
  }

  /** From now on. What is there beyond the new burst is lost. */
  change(rate: TokenRate, now: number): void {
    this.available(now);
    this.#rate = rate;
    this.#tokens = Math.min(this.#tokens, rate.burst);
  }
}
