import type { SmtpLimits } from './limits.ts';

const never = Number.POSITIVE_INFINITY;

/**
 * How long a client is waited for; while the server itself is busy, nothing runs out but the transaction. What a limit
 * sets is a moment. One timer looks whether the earliest has come, and is set anew when it fires: a command then costs
 * two reads of the clock and no timer.
 */
export class Patience {
  readonly #limits: SmtpLimits;
  readonly #onExpiry: () => void;
  #idleUntil = never;
  #transactionUntil = never;
  #hasSpoken = false;
  #timer: NodeJS.Timeout | undefined;
  #looksAt = never;

  constructor(limits: SmtpLimits, onExpiry: () => void) {
    this.#limits = limits;
    this.#onExpiry = onExpiry;
  }

  /** Goes on with a wait that has already begun: what trickles in does not prolong it. */
  waitForCommand(): void {
    const { command_timeout_ms, first_command_timeout_ms } = this.#limits;
    if (this.#idleUntil === never)
      this.#idle(this.#hasSpoken ? command_timeout_ms : first_command_timeout_ms);
  }

  waitForData(): void {
    if (this.#idleUntil === never) this.#idle(this.#limits.data_timeout_ms);
  }

  commandCame(): void {
    this.#idleUntil = never;
    this.#hasSpoken = true;
  }

  dataCame(): void {
    if (this.#idleUntil !== never) this.#idle(this.#limits.data_timeout_ms);
  }

  noteTransaction(isOpen: boolean): void {
    if (!isOpen) this.#transactionUntil = never;
    else if (this.#transactionUntil === never) {
      this.#transactionUntil = performance.now() + this.#limits.transaction_timeout_ms;
      this.#lookAt(this.#transactionUntil);
    }
  }

  /** Until something is waited for again. */
  clear(): void {
    this.#idleUntil = never;
    this.#transactionUntil = never;
  }

  /** For good: no timer is left. */
  end(): void {
    this.clear();
    clearTimeout(this.#timer);
  }

  #idle(ms: number): void {
    this.#idleUntil = performance.now() + ms;
    this.#lookAt(this.#idleUntil);
  }

  #lookAt(moment: number): void {
    if (moment >= this.#looksAt) return;
    clearTimeout(this.#timer);
    this.#looksAt = moment;
    this.#timer = setTimeout(() => this.#look(), moment - performance.now());
  }

  #look(): void {
    this.#looksAt = never;
    const earliest = Math.min(this.#idleUntil, this.#transactionUntil);
    if (earliest <= performance.now()) this.#onExpiry();
    else if (earliest !== never) this.#lookAt(earliest);
  }
}
