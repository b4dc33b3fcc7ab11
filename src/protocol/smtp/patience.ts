import { Deadline } from '../deadline.ts';
import type { SmtpLimits } from './limits.ts';

/** How long a client is waited for; while the server itself is busy, nothing runs out but the transaction. */
export class Patience {
  readonly #limits: SmtpLimits;
  readonly #idle: Deadline;
  readonly #transaction: Deadline;
  #hasSpoken = false;

  constructor(limits: SmtpLimits, onExpiry: () => void) {
    this.#limits = limits;
    this.#idle = new Deadline(onExpiry);
    this.#transaction = new Deadline(onExpiry);
  }

  /** Goes on with a wait that has already begun: what trickles in does not prolong it. */
  waitForCommand(): void {
    const { command_timeout_ms, first_command_timeout_ms } = this.#limits;
    if (!this.#idle.isSet) this.#idle.set(this.#hasSpoken ? command_timeout_ms : first_command_timeout_ms);
  }

  waitForData(): void {
    if (!this.#idle.isSet) this.#idle.set(this.#limits.data_timeout_ms);
  }

  commandCame(): void {
    this.#idle.lift();
    this.#hasSpoken = true;
  }

  dataCame(): void {
    if (this.#idle.isSet) this.#idle.set(this.#limits.data_timeout_ms);
  }

  noteTransaction(isOpen: boolean): void {
    if (!isOpen) this.#transaction.lift();
    else if (!this.#transaction.isSet) this.#transaction.set(this.#limits.transaction_timeout_ms);
  }

  /** Until something is waited for again. */
  clear(): void {
    this.#idle.lift();
    this.#transaction.lift();
  }

  /** For good: no timer is left. */
  end(): void {
    this.#idle.end();
    this.#transaction.end();
  }
}
