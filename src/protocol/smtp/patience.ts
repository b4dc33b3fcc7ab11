import { Deadline } from './deadline.ts';
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

  /** Goes on with a wait that has already begun. */
  waitForCommand(): void {
    const { command_timeout_ms, first_command_timeout_ms } = this.#limits;
    this.#idle.start(this.#hasSpoken ? command_timeout_ms : first_command_timeout_ms);
  }

  waitForData(): void {
    this.#idle.start(this.#limits.data_timeout_ms);
  }

  commandCame(): void {
    this.#idle.clear();
    this.#hasSpoken = true;
  }

  dataCame(): void {
    this.#idle.refresh();
  }

  noteTransaction(isOpen: boolean): void {
    if (isOpen) this.#transaction.start(this.#limits.transaction_timeout_ms);
    else this.#transaction.clear();
  }

  clear(): void {
    this.#idle.clear();
    this.#transaction.clear();
  }
}
