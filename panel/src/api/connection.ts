import { createStore } from './store.ts';

/** Whether the service answers. `unavailable`: it does, with 502 to 504. */
export type Connection = 'online' | 'offline' | 'unavailable';

export const connection = createStore<Connection>('online');

const firstWaitMs = 1_000;
const longestWaitMs = 10_000;
let checking: Promise<void> | undefined;

/** Says so, and asks the service until it is well again, which is when the promise is resolved. */
export async function reportOutage(kind: Exclude<Connection, 'online'>): Promise<void> {
  connection.set(kind);
  checking ??= untilWell().finally(() => (checking = undefined));
  await checking;
}

// Requests wait while the browser has no network, so none of them would fail and say so.
addEventListener('offline', () => void reportOutage('offline'));

async function untilWell(): Promise<void> {
  for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
    await pause(wait);
    const state = await ask();
    connection.set(state);
    if (state === 'online') return;
  }
}

async function ask(): Promise<Connection> {
  try {
    const { status } = await fetch('/readyz', { cache: 'no-store' });
    return status >= 502 && status <= 504 ? 'unavailable' : 'online';
  } catch {
    return 'offline';
  }
}

/** Or until the browser has a network again. */
async function pause(wait_ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, wait_ms);
    addEventListener('online', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
