import { setTimeout as delay } from 'node:timers/promises';
import { problemFromError } from '../errors/from-error.ts';

export interface BatcherOptions<Item, Result> {
  /** Writes or looks up all of them, and gives a result for each, in their order. */
  run: (items: Item[], slot: number) => Promise<Result[]>;
  max_items: number;
  /** Of the items of a batch together; one that is larger than that goes alone. */
  max_bytes?: number;
  bytesOf?: (item: Item) => number;
  /** Batches under way at the same time. The slot says which of them one is. */
  slots?: number;
  /** Between the beginnings of two batches, where nobody waits for the result. */
  interval_ms?: number;
  early?: EarlyDeparture;
  /** A batch that fails for what is in it: `split` runs its halves, and theirs, until the item is alone. */
  on_failure?: 'reject' | 'split';
  /** Runs a batch again for as long as the store is out of reach. */
  retry?: RetryUntilStored;
}

/**
 * A batch leaves at the end of a turn of the event loop. One that is large enough leaves in the middle of it, so that
 * the database works on it while the turn goes on; and a second one leaves beside one that is under way.
 */
export interface EarlyDeparture {
  /** Items that are enough in any case. */
  fewest: number;
  /** Of the most items that were waiting or under way at a time of late: so many are asked for when that is more. */
  share: number;
}

export interface RetryUntilStored {
  within_ms: number;
  /** Gives up at once. */
  signal: AbortSignal;
  onFailure: (error: unknown) => void;
  onSuccess: () => void;
}

export interface Batcher<Item, Result> {
  add: (item: Item) => Promise<Result>;
  /** Waits until nothing is waiting or under way. */
  drain: () => Promise<void>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Of look-ups: so many are worth a statement of their own. */
export const look_up_early: EarlyDeparture = { fewest: 24, share: 0 };
const never: EarlyDeparture = { fewest: Infinity, share: 0 };
/** What is left with each batch of the most that waited at a time. */
const demand_kept = 0.97;
const first_retry_ms = 250;
const max_retry_ms = 5_000;

/** Whether the error says that the store is out of reach, and nothing about what was to be written. */
export function isStoreLost(error: unknown): boolean {
  return problemFromError(error)?.code === 'service_unavailable';
}

/**
 * Gathers what many callers ask for at the same time into few statements. While one is under way the next gathers: a lone
 * caller waits for nothing, and under load batches grow by themselves.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  type Entry = Waiting<Item, Result>;
  const { max_items, max_bytes = Infinity, bytesOf = () => 0, interval_ms = 0, early = never } = options;
  const slots = options.slots ?? 1;
  const free = Array.from({ length: slots }, (_, index) => slots - 1 - index);
  const queue: Entry[] = [];
  let isScheduled = false;
  let under_way = 0;
  let demand = 0;
  let began = -Infinity;
  let idle = Promise.withResolvers<void>();

  const enough = (): number => Math.max(early.fewest, Math.min(demand * early.share, max_items));

  function leave(): void {
    isScheduled = false;
    while (free.length > 0 && queue.length > 0) {
      if (free.length < slots && queue.length < enough()) return;
      void occupy(free.pop() as number);
    }
  }

  async function occupy(slot: number): Promise<void> {
    const wait = began + interval_ms - performance.now();
    if (interval_ms > 0 && wait > 0) await delay(wait);
    began = performance.now();
    demand = Math.max(demand * demand_kept, queue.length + under_way);
    const batch = takeBatch();
    under_way += batch.length;
    await settle(batch, slot);
    under_way -= batch.length;
    free.push(slot);
    if (under_way + queue.length === 0) idle.resolve();
    leave();
  }

  function takeBatch(): Entry[] {
    let count = 0;
    let bytes = 0;
    for (const { item } of queue) {
      bytes += bytesOf(item);
      if (count === max_items || (count > 0 && bytes > max_bytes)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function settle(batch: Entry[], slot: number): Promise<void> {
    try {
      const results = await attempt(
        batch.map(({ item }) => item),
        slot,
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (options.on_failure !== 'split' || batch.length === 1 || isStoreLost(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await settle(batch.slice(0, middle), slot);
      await settle(batch.slice(middle), slot);
    }
  }

  async function attempt(items: Item[], slot: number): Promise<Result[]> {
    const { retry } = options;
    if (!retry) return await options.run(items, slot);
    const until = performance.now() + retry.within_ms;
    for (let wait = first_retry_ms; ; wait = Math.min(2 * wait, max_retry_ms)) {
      try {
        const results = await options.run(items, slot);
        retry.onSuccess();
        return results;
      } catch (error) {
        if (!isStoreLost(error) || retry.signal.aborted || performance.now() > until) throw error;
        retry.onFailure(error);
        await delay(wait, undefined, { signal: retry.signal }).catch(() => undefined);
      }
    }
  }

  return {
    add(item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      if (under_way + queue.length === 0) idle = Promise.withResolvers<void>();
      queue.push({ item, resolve, reject });
      if (free.length === 0) return promise;
      if (queue.length >= enough()) leave();
      else if (!isScheduled) {
        isScheduled = true;
        setImmediate(leave);
      }
      return promise;
    },
    async drain() {
      while (under_way + queue.length > 0) await idle.promise;
    },
  };
}
