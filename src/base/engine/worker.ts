import { createBatcher, type Batcher, type BatchWatch } from '../db/batcher.ts';
import type { Log } from '../log.ts';
import { createLoop } from './loop.ts';
import { createOutageLog } from './outage-log.ts';

export interface WorkerOptions<Item, Outcome, Recorded> {
  /** Kind of item for the log, such as `mail`. */
  name: string;
  log: Log;
  /** Leases the items that are due and within the limits. `wait_ms` is how long to wait for more unless woken. */
  claim: () => Promise<{ items: Item[]; wait_ms: number }>;
  /** One attempt. Undefined when there is nothing to record: the lease expires. */
  attempt: (item: Item) => Promise<Outcome | undefined>;
  /** Writes a batch of outcomes, each only while its lease is held. */
  record: (outcomes: Outcome[]) => Promise<Recorded[]>;
  /** Outcomes per batch. */
  max_recorded: number;
  /** Minimum interval between two batches. */
  record_every_ms?: number;
  watch?: BatchWatch;
  /** Called once an outcome is recorded. */
  after?: (item: Item, outcome: Outcome, recorded: Recorded) => Promise<void>;
  /** Called for each item that is no longer unfinished, recorded or not. */
  onFinished?: () => void;
  /** Recording is retried for this long; after that another node has the item. */
  lease_ms: number;
}

export interface Worker<Item> {
  start: () => void;
  wake: () => void;
  /** Attempts an item that is leased already, without a claim. */
  run: (item: Item) => void;
  /** Items being attempted or recorded. */
  unfinished: () => number;
  /** Stops claiming and waits for the unfinished items. */
  stop: () => Promise<void>;
  /** Stops retrying to record: the database is out of reach. */
  abort: () => void;
}

/**
 * Claim, attempt, record. An attempt has effects outside that cannot be undone, so its outcome is retried until it is
 * stored. No transaction is open during an attempt.
 */
export function createWorker<Item, Outcome, Recorded>(
  options: WorkerOptions<Item, Outcome, Recorded>,
): Worker<Item> {
  const { name, log } = options;
  const retries = new AbortController();
  const record = createRecorder(options, retries.signal);
  let unfinished = 0;
  let onIdle = (): void => undefined;

  async function work(item: Item): Promise<void> {
    try {
      const outcome = await options.attempt(item);
      if (outcome === undefined) return;
      const recorded = await record.add(outcome);
      await options.after?.(item, outcome, recorded);
    } catch (error) {
      log.error({ err: error, item: identityOf(item) }, `could not record an outcome of ${name}`);
    }
  }

  function run(item: Item): void {
    unfinished += 1;
    void work(item).finally(() => {
      unfinished -= 1;
      if (unfinished === 0) onIdle();
      options.onFinished?.();
    });
  }

  const loop = createLoop({
    name: `claiming ${name}`,
    log,
    step: async () => {
      const { items, wait_ms } = await options.claim();
      for (const item of items) run(item);
      return wait_ms;
    },
  });

  return {
    start: loop.start,
    wake: loop.wake,
    run,
    unfinished: () => unfinished,
    async stop() {
      await loop.stop();
      while (unfinished > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onIdle = resolve;
        await promise;
      }
    },
    abort: () => retries.abort(),
  };
}

function createRecorder<Item, Outcome, Recorded>(
  options: WorkerOptions<Item, Outcome, Recorded>,
  signal: AbortSignal,
): Batcher<Outcome, Recorded> {
  const { name, log, record, max_recorded, record_every_ms = 0, lease_ms, watch } = options;
  const outage = createOutageLog(log, `recording outcomes of ${name}`);
  return createBatcher({
    run: record,
    max_items: max_recorded,
    interval_ms: record_every_ms,
    watch,
    on_failure: 'split',
    retry: { within_ms: lease_ms, signal, onFailure: outage.failed, onSuccess: outage.worked },
  });
}

/** Identifier for the log; the rest of an item may be long or private. */
function identityOf(item: unknown): unknown {
  const { id, mail_id, name } = item as { id?: unknown; mail_id?: unknown; name?: unknown };
  return mail_id ?? id ?? name;
}
