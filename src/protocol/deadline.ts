/**
 * A time limit that is set and lifted many times a message. Doing so only notes the time; one timer looks whether it
 * has come, and is set anew when it fires too early: making and clearing a timer each time took 1 µs, six times a
 * message.
 */
export class Deadline {
  readonly #onExpiry: (ms: number) => void;
  #ms = 0;
  #at = Infinity;
  #looksAt = Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(onExpiry: (ms: number) => void) {
    this.#onExpiry = onExpiry;
  }

  get isSet(): boolean {
    return this.#at !== Infinity;
  }

  /** From now on, whatever ran before. */
  set(ms: number): void {
    this.#ms = ms;
    this.#at = performance.now() + ms;
    if (this.#at < this.#looksAt) this.#lookIn(ms);
  }

  lift(): void {
    this.#at = Infinity;
  }

  /** Permanently: the timer is cleared, and no other one is started. */
  end(): void {
    clearTimeout(this.#timer);
    this.#looksAt = -Infinity;
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#looksAt = performance.now() + ms;
    this.#timer = setTimeout(() => this.#look(), ms);
  }

  #look(): void {
    this.#looksAt = Infinity;
    const left = this.#at - performance.now();
    if (left === Infinity) return;
    if (left > 0) {
      this.#lookIn(left);
      return;
    }
    this.lift();
    this.#onExpiry(this.#ms);
  }
}
