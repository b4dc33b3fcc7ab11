interface Waiter {
  /** Sessions with this key can be reused. */
  key: string;
  wake: () => void;
}

export interface SlotRequest {
  provider: string;
  key: string;
  /** Served first. */
  urgent: boolean;
}

/** Mails that wait for a connection: urgent ones first, then first in, first out. */
export class SlotQueue {
  readonly #byProvider = new Map<string, { urgent: Set<Waiter>; other: Set<Waiter> }>();

  /** Resolves when a session or slot may be available, or after `ms`. */
  async wait({ provider, key, urgent }: SlotRequest, ms: number): Promise<void> {
    const queues = this.#byProvider.get(provider) ?? { urgent: new Set<Waiter>(), other: new Set<Waiter>() };
    this.#byProvider.set(provider, queues);
    const queue = urgent ? queues.urgent : queues.other;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => waiter.wake(), ms);
      const waiter: Waiter = {
        key,
        wake: () => {
          clearTimeout(timer);
          queue.delete(waiter);
          if (queues.urgent.size + queues.other.size === 0) this.#byProvider.delete(provider);
          resolve();
        },
      };
      queue.add(waiter);
    });
  }

  /** A session became idle: wakes the first waiter that can reuse it, else all of the provider. */
  sessionFree(provider: string, key: string): void {
    for (const queue of this.#queuesOf(provider)) {
      for (const waiter of queue) {
        if (waiter.key !== key) continue;
        waiter.wake();
        return;
      }
    }
    this.slotFree(provider);
  }

  /** A connection may be opened: wakes all waiters of the provider. */
  slotFree(provider: string): void {
    for (const queue of this.#queuesOf(provider)) for (const waiter of queue) waiter.wake();
  }

  #queuesOf(provider: string): Set<Waiter>[] {
    const queues = this.#byProvider.get(provider);
    return queues ? [queues.urgent, queues.other] : [];
  }
}
