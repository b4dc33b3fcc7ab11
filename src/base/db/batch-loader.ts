import { setTimeout as delay } from 'node:timers/promises';

/** So many leave in the middle of a turn: the database is at work on them while the turn goes on. */
const worth_leaving_early = 24;

/**
 * Gathers the keys that many callers look up at the same moment into one query. While one query is under way the next
 * gathers, so that a lone caller waits for nothing and a busy moment costs few round trips. Where nobody waits for the
 * answer, `interval_ms` between the beginnings of two queries makes them fewer still.
 */
export function createBatchLoader<Key, Value>(
  load: (keys: Key[]) => Promise<Value[]>,
  most_keys = 1_000,
  interval_ms = 0,
): (key: Key) => Promise<Value> {
  interface Waiting {
    key: Key;
    resolve: (value: Value) => void;
    reject: (error: unknown) => void;
  }
  const queue: Waiting[] = [];
  let busy = false;
  let isScheduled = false;
  let began = -Infinity;

  async function run(): Promise<void> {
    isScheduled = false;
    if (busy || queue.length === 0) return;
    busy = true;
    const wait = began + interval_ms - performance.now();
    if (wait > 0) await delay(wait);
    began = performance.now();
    const batch = queue.splice(0, most_keys);
    try {
      const values = await load(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    busy = false;
    void run();
  }

  return async (key) =>
    await new Promise<Value>((resolve, reject) => {
      queue.push({ key, resolve, reject });
      if (busy) return;
      if (interval_ms === 0 && queue.length >= worth_leaving_early) void run();
      else if (!isScheduled) {
        isScheduled = true;
        setImmediate(() => void run());
      }
    });
}
