import { createBatcher, type Batcher } from '../db/batcher.ts';
import type { Log } from '../log.ts';
import { createLoop } from './loop.ts';
import { createOutageLog } from './outage-log.ts';

export interface WorkerOptions<Item, Outcome, Recorded> {
  /** What it works on, for the log, such as `mail`. */
  name: string;
  log: Log;
  /** Takes what is due and fits, each under a lease. `wait_ms` until there may be more, unless it is woken. */
  claim: () => Promise<{ items: Item[]; wait_ms: number }>;
  /** One attempt. Undefined when it comes to nothing that is to be recorded: its lease expires. */
  attempt: (item: Item) => Promise<Outcome | undefined>;
  /** Writes many outcomes, each only under the lease it was made under. */
  record: (outcomes: Outcome[]) => Promise<Recorded[]>;
  max_recorded: number;
  /** Between two records, where nobody waits for them. */
  record_every_ms?: number;
  /** What follows once an outcome is on record. */
  after?: (item: Item, outcome: Outcome, recorded: Recorded) => Promise<void>;
  /** An outcome is tried to be recorded for as long: later another node has the item. */
  lease_ms: number;
}

export interface Worker<Item> {
  start: () => void;
  wake: () => void;
  /** Works on an item that is under a lease already, without a claim. */
  run: (item: Item) => void;
  /** Items under way, and those whose outcome is not recorded yet. */
  unfinished: () => number;
  /** Claims no more, and waits for what is unfinished. */
  stop: () => Promise<void>;
  /** No longer waits for a database that is out of reach. */
  cut: () => void;
}

/**
 * Claims, attempts, records: what was done outside cannot be taken back, so that its outcome is written as soon as the
 * database is there again. Nothing is held in a transaction during an attempt.
 */
export function createWorker<Item, Outcome, Recorded>(
  options: WorkerOptions<Item, Outcome, Recorded>,
): Worker<Item> {
  const { name, log } = options;
  const cut = new AbortController();
  const record = createRecorder(options, cut.signal);
  let unfinished = 0;
  let onFinished = (): void => undefined;

  async function work(item: Item): Promise<void> {
    try {
      const outcome = await options.attempt(item);
      if (outcome === undefined) return;
      const recorded = await record.add(outcome);
      await options.after?.(item, outcome, recorded);
    } catch (error) {
      log.error({ err: error, item: identityOf(item) }, `an outcome of ${name} was not recorded`);
    }
  }

  function run(item: Item): void {
    unfinished += 1;
    void work(item).finally(() => {
      unfinished -= 1;
      if (unfinished === 0) onFinished();
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
        onFinished = resolve;
        await promise;
      }
    },
    cut: () => cut.abort(),
  };
}

function createRecorder<Item, Outcome, Recorded>(
  { name, log, record, max_recorded, record_every_ms = 0, lease_ms }: WorkerOptions<Item, Outcome, Recorded>,
  signal: AbortSignal,
): Batcher<Outcome, Recorded> {
  const outage = createOutageLog(log, `recording outcomes of ${name}`);
  return createBatcher({
    run: record,
    max_items: max_recorded,
    interval_ms: record_every_ms,
    on_failure: 'split',
    retry: { within_ms: lease_ms, signal, onFailure: outage.failed, onSuccess: outage.worked },
  });
}

/** What names it in the log; all else of it may be long or private. */
function identityOf(item: unknown): unknown {
  const { id, mail_id, name } = item as { id?: unknown; mail_id?: unknown; name?: unknown };
  return mail_id ?? id ?? name;
}
