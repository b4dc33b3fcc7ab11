/** A wait that can be cut short, also by what happens between `begin` and `wait`. */
export interface Pause {
  begin: () => void;
  wait: (ms: number) => Promise<void>;
  end: () => void;
}

export function createPause(): Pause {
  let isOver = false;
  let wake = (): void => undefined;
  return {
    begin() {
      isOver = false;
    },
    async wait(ms) {
      if (isOver) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      wake = resolve;
      await promise;
      clearTimeout(timer);
      wake = () => undefined;
    },
    end() {
      isOver = true;
      wake();
    },
  };
}
