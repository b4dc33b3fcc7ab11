import type { Clock } from '../base/clock.ts';
import { DatabaseClock } from '../base/db/database-clock.ts';
import { createOutageLog } from '../base/engine/outage-log.ts';
import type { Log } from '../base/log.ts';
import type { Store } from './store.ts';

interface OpenClock {
  clock: Clock;
  clockError: () => string | undefined;
  stopClock: () => Promise<void>;
}

const checkEveryMs = 60_000;

/** The database's clock, synced periodically, unless a test passes another one. Problems of this node's clock are logged. */
export async function openClock({ db }: Store, log: Log, given?: Clock): Promise<OpenClock> {
  if (given) return { clock: given, clockError: () => undefined, stopClock: async () => undefined };
  const clock = await DatabaseClock.open(db);
  const outage = createOutageLog(log, 'reading the time of the database');
  clock.start(outage.failed);
  const check = (): void => {
    const clockError = clock.clockError();
    if (clockError !== undefined)
      log.warn({ clockError }, 'the clock is not trusted: destructive jobs do not run on this node');
  };
  check();
  const timer = setInterval(check, checkEveryMs);
  timer.unref();
  return {
    clock,
    clockError: () => clock.clockError(),
    async stopClock() {
      clearInterval(timer);
      clock.stop();
    },
  };
}
