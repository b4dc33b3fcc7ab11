import { Counter, type Registry } from 'prom-client';
import { createBatcher, type Batcher } from '../base/db/batcher.ts';
import type { Database } from '../base/db/database.ts';
import { createOutageLog } from '../base/engine/outage-log.ts';
import { IdSequence } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { type Engagement, recordEngagement } from '../events/index.ts';
import { burstMs, ClickBursts } from './click-bursts.ts';

interface RecorderOptions {
  db: Pick<Database, 'transaction'>;
  registry: Registry;
  log: Log;
  /** How long a visit is held for classification. */
  hold_ms?: number;
  /** Bound of unwritten visits; beyond it they are lost and counted. */
  max_bytes?: number;
}

/** Owned by the recorder. */
export type Visit = Omit<Engagement, 'event_id'>;

/** Visits recorded at the same time, held as one item: queueing them one by one cost more than writing them. */
interface Held {
  due: number;
  visits: Visit[];
}

const momentMs = 10;
const maxBatchItems = 1_000;
/** Estimate per visit, besides URL and user agent. */
const bytesEach = 300;
const complainEveryMs = 10_000;

/** Answers are sent at once and visits are written in batches, so that a redirect does not wait for the database. */
export class EngagementRecorder {
  readonly #db: Pick<Database, 'transaction'>;
  readonly #log: Log;
  readonly #hold_ms: number;
  readonly #max_bytes: number;
  readonly #counters: ReturnType<typeof createCounters>;
  readonly #ids = new IdSequence();
  readonly #bursts = new ClickBursts();
  readonly #abort = new AbortController();
  /** Oldest first. */
  readonly #held: Held[] = [];
  readonly #batches: Batcher<Engagement, void>;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #lost = 0;
  #complained = -Infinity;

  constructor({ db, registry, log, hold_ms = burstMs, max_bytes = 32 * 1024 * 1024 }: RecorderOptions) {
    this.#db = db;
    this.#log = log;
    this.#hold_ms = hold_ms;
    this.#max_bytes = max_bytes;
    this.#counters = createCounters(registry);
    const outage = createOutageLog(log, 'writing opens and clicks');
    this.#batches = createBatcher({
      run: async (visits: Engagement[]) => await this.#writeBatch(visits),
      max_items: maxBatchItems,
      // Only a visit that the database rejects is discarded.
      on_failure: 'split',
      retry: {
        within_ms: Infinity,
        signal: this.#abort.signal,
        onFailure: outage.failed,
        onSuccess: outage.worked,
      },
    });
  }

  /** Records a visit asynchronously. */
  record(visit: Visit): void {
    const size = sizeOf(visit);
    if (this.#bytes + size > this.#max_bytes) {
      this.#lose(1);
      return;
    }
    this.#bytes += size;
    if (visit.is_scripted) {
      this.#write(visit);
      return;
    }
    const now = performance.now();
    if (visit.event === 'clicked') this.#bursts.add(visit, now);
    this.#hold(visit, now + this.#hold_ms);
    this.#schedule();
  }

  /** Writes everything that is held. */
  async stop(): Promise<void> {
    while (this.#held.length > 0) {
      this.#release(Infinity);
      await this.#batches.drain();
    }
    await this.#batches.drain();
    clearTimeout(this.#timer);
  }

  /** Stops waiting for a database that cannot be reached. */
  abort(): void {
    this.#abort.abort();
  }

  #schedule(): void {
    const [next] = this.#held;
    if (this.#timer || !next) return;
    const release = (): void => {
      this.#timer = undefined;
      this.#release(performance.now());
      this.#schedule();
    };
    this.#timer = setTimeout(release, Math.max(0, next.due - performance.now()));
  }

  #hold(visit: Visit, due: number): void {
    const last = this.#held.at(-1);
    if (last && due <= last.due) last.visits.push(visit);
    else this.#held.push({ due: due + momentMs, visits: [visit] });
  }

  #release(until: number): void {
    for (let [next] = this.#held; next && next.due <= until; [next] = this.#held) {
      for (const visit of next.visits) this.#write(visit);
      this.#held.shift();
    }
  }

  async #writeBatch(batch: Engagement[]): Promise<void[]> {
    this.#count(await recordEngagement(this.#db, batch));
    return batch.map(() => undefined);
  }

  #write(visit: Visit): void {
    void this.#batches
      // One id per visit, so that a repeated batch inserts nothing twice.
      .add({ ...visit, event_id: this.#ids.next(visit.at) })
      .catch((error: unknown) => {
        this.#log.error({ err: error as Error }, 'an open or click could not be written');
        this.#lose(1);
      })
      .finally(() => {
        this.#bytes -= sizeOf(visit);
      });
  }

  #count(written: Awaited<ReturnType<typeof recordEngagement>>): void {
    for (const { event, is_machine, count } of written) {
      this.#counters.recorded.inc({ event, visitor: is_machine ? 'machine' : 'person' }, count);
    }
  }

  #lose(count: number): void {
    this.#counters.lost.inc(count);
    this.#lost += count;
    const now = performance.now();
    if (now - this.#complained < complainEveryMs) return;
    this.#complained = now;
    this.#log.error({ lost: this.#lost }, 'opens and clicks were lost');
    this.#lost = 0;
  }
}

function sizeOf({ url, user_agent }: Visit): number {
  return bytesEach + (url?.length ?? 0) + (user_agent?.length ?? 0);
}

function createCounters(registry: Registry) {
  return {
    recorded: new Counter({
      name: 'chasqui_engagements_total',
      help: 'Opens and clicks that were written, by people and by machines.',
      labelNames: ['event', 'visitor'],
      registers: [registry],
    }),
    lost: new Counter({
      name: 'chasqui_engagements_lost_total',
      help: 'Opens and clicks that were answered but could not be written.',
      registers: [registry],
    }),
  };
}
