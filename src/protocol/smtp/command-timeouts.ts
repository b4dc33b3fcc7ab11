import { Deadline } from '../deadline.ts';
import type { SmtpLimits } from './limits.ts';

/** Timeouts for the client. While the server itself is busy only the authentication timeout runs. */
export class CommandTimeouts {
  readonly #limits: SmtpLimits;
  readonly #idle: Deadline;
  readonly #transaction: Deadline;
  readonly #authentication: Deadline;
  #hasSpoken = false;

  constructor(limits: SmtpLimits, onExpiry: (waitedFor: 'client' | 'authentication') => void) {
    this.#limits = limits;
    this.#idle = new Deadline(() => onExpiry('client'));
    this.#transaction = new Deadline(() => onExpiry('client'));
    this.#authentication = new Deadline(() => onExpiry('authentication'));
  }

  /** Not prolonged by commands, and runs while the server is busy. */
  waitForAuthentication(): void {
    this.#authentication.set(this.#limits.auth_timeout_ms);
  }

  authenticated(): void {
    this.#authentication.lift();
  }

  /** Continues a running timeout: single bytes do not prolong it. */
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

  /** Suspends the timeouts until the next wait. */
  clear(): void {
    this.#idle.lift();
    this.#transaction.lift();
  }

  /** Clears all timers permanently. */
  end(): void {
    this.#idle.end();
    this.#transaction.end();
    this.#authentication.end();
  }
}
