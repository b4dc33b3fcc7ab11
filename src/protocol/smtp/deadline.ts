/** One time limit that is set and lifted again as a connection goes on. */
export class Deadline {
  readonly #onExpiry: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onExpiry: () => void) {
    this.#onExpiry = onExpiry;
  }

  /** Starts unless it already runs: what trickles in does not prolong it. */
  start(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#onExpiry();
    }, ms);
  }

  /** Begins the running time anew. */
  refresh(): void {
    this.#timer?.refresh();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
