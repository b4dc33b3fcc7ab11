interface Waiter {
  /** Of the session that would serve. */
  key: string;
  wake: () => void;
}

export interface SlotRequest {
  provider: string;
  key: string;
  /** Before those that are not. */
  urgent: boolean;
}

/** Mails that wait for a connection: urgent ones first, the others in their order. */
export class SlotQueue {
  readonly #byProvider = new Map<string, { urgent: Set<Waiter>; other: Set<Waiter> }>();

  /** Until there is something to have, at most this long. */
  async wait({ provider, key, urgent }: SlotRequest, ms: number): Promise<void> {
    const lines = this.#byProvider.get(provider) ?? { urgent: new Set<Waiter>(), other: new Set<Waiter>() };
    this.#byProvider.set(provider, lines);
    const line = urgent ? lines.urgent : lines.other;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => waiter.wake(), ms);
      const waiter: Waiter = {
        key,
        wake: () => {
          clearTimeout(timer);
          line.delete(waiter);
          if (lines.urgent.size + lines.other.size === 0) this.#byProvider.delete(provider);
          resolve();
        },
      };
      line.add(waiter);
    });
  }

  /** A session is free: one who waits for just that gets it; without one, others may make something of its place. */
  sessionFree(provider: string, key: string): void {
    for (const line of this.#linesOf(provider)) {
      for (const waiter of line) {
        if (waiter.key !== key) continue;
        waiter.wake();
        return;
      }
    }
    this.placeFree(provider);
  }

  /** There is room for another connection: whoever waits looks whether it is one for them. */
  placeFree(provider: string): void {
    for (const line of this.#linesOf(provider)) for (const waiter of line) waiter.wake();
  }

  #linesOf(provider: string): Set<Waiter>[] {
    const lines = this.#byProvider.get(provider);
    return lines ? [lines.urgent, lines.other] : [];
  }
}
