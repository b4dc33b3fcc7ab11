import type { Log } from '../log.ts';

const repeatEveryMs = 10_000;

/** One line when something begins to fail, one every ten seconds while it does, and one when it works again. */
export interface OutageLog {
  failed: (error: unknown) => void;
  worked: () => void;
}

export function createOutageLog(log: Log, what: string): OutageLog {
  let failures = 0;
  let began = 0;
  let logged = -Infinity;
  return {
    failed(error) {
      const now = performance.now();
      if (failures === 0) began = now;
      failures += 1;
      if (now - logged < repeatEveryMs) return;
      logged = now;
      log.warn({ err: error as Error, failures }, `${what} failed and is retried`);
    },
    worked() {
      if (failures === 0) return;
      const seconds = Math.round(performance.now() - began) / 1000;
      log.info({ failures, seconds }, `${what} works again`);
      failures = 0;
      logged = -Infinity;
    },
  };
}
