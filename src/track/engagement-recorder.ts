import { setTimeout as delay } from 'node:timers/promises';
import { Counter, type Registry } from 'prom-client';
import type { Queryable } from '../base/db/database.ts';
import { problemFromError } from '../base/errors/from-error.ts';
import { IdSequence } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { recordEngagement, type Engagement } from '../events/record-engagement.ts';
import { burst_ms, ClickBursts } from './click-bursts.ts';

interface RecorderOptions {
  db: Queryable;
  registry: Registry;
  log: Log;
  /** How long a visit waits for others that tell more about it. */
  hold_ms?: number;
  /** Of visits that wait to be written; what comes on top of that is lost. */
  most_bytes?: number;
}

/** What its recorder is told of a visit, and keeps: nobody else may change it. */
export type Visit = Omit<Engagement, 'event_id'>;

/** Visits of the same moment: one by one they cost more to keep in line than to write. */
interface Held {
  due: number;
  visits: Visit[];
}

const moment_ms = 10;
const most_per_write = 1_000;
/** Beside its URL and the name of the visitor, with what it takes to hold it. */
const bytes_each = 300;
const first_retry_ms = 250;
const longest_retry_ms = 5_000;
const complain_every_ms = 10_000;

/** Visits are answered at once and written in batches, so that following a link does not wait for the database. */
export class EngagementRecorder {
  readonly #db: Queryable;
  readonly #log: Log;
  readonly #hold_ms: number;
  readonly #most_bytes: number;
  readonly #counters: ReturnType<typeof createCounters>;
  readonly #ids = new IdSequence();
  readonly #bursts = new ClickBursts();
  readonly #cut = new AbortController();
  /** In the order in which they came. */
  readonly #held: Held[] = [];
  readonly #ready: Visit[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #lost = 0;
  #complained = -Infinity;

  constructor({ db, registry, log, hold_ms = burst_ms, most_bytes = 32 * 1024 * 1024 }: RecorderOptions) {
    this.#db = db;
    this.#log = log;
    this.#hold_ms = hold_ms;
    this.#most_bytes = most_bytes;
    this.#counters = createCounters(registry);
  }

  /** Takes note of a visit; it is written in a moment, and nobody waits for that. */
  record(visit: Visit): void {
    const size = sizeOf(visit);
    if (this.#bytes + size > this.#most_bytes) {
      this.#lose(1);
      return;
    }
    this.#bytes += size;
    if (visit.is_scripted) {
      this.#ready.push(visit);
      this.#write();
      return;
    }
    const now = performance.now();
    if (visit.event === 'clicked') this.#bursts.note(visit, now);
    this.#hold(visit, now + this.#hold_ms);
    this.#schedule();
  }

  /** Writes all that is held. */
  async stop(): Promise<void> {
    while (this.#held.length > 0 || this.#ready.length > 0 || this.#writing) {
      this.#release(Infinity);
      this.#write();
      await this.#writing;
    }
    clearTimeout(this.#timer);
  }

  /** No longer waits for a database that is out of reach. */
  cut(): void {
    this.#cut.abort();
  }

  #schedule(): void {
    const [next] = this.#held;
    if (this.#timer || this.#writing || !next) return;
    this.#timer = setTimeout(() => this.#write(), Math.max(0, next.due - performance.now()));
  }

  #hold(visit: Visit, due: number): void {
    const last = this.#held.at(-1);
    if (last && due <= last.due) last.visits.push(visit);
    else this.#held.push({ due: due + moment_ms, visits: [visit] });
  }

  #release(until: number): void {
    for (let [next] = this.#held; next && next.due <= until; [next] = this.#held) {
      for (const visit of next.visits) this.#ready.push(visit);
      this.#held.shift();
    }
  }

  /** One batch at a time: while one is written the next gathers. */
  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeReady().finally(() => {
      this.#writing = undefined;
      this.#schedule();
    });
  }

  async #writeReady(): Promise<void> {
    this.#release(performance.now());
    while (this.#ready.length > 0) {
      // Identified now and not when they came: what waits by the thousand had better be small.
      const batch = this.#ready
        .splice(0, most_per_write)
        .map((visit) => ({ ...visit, event_id: this.#ids.next(visit.at) }));
      await this.#insist(batch);
      for (const visit of batch) this.#bytes -= sizeOf(visit);
    }
  }

  /** A database that is out of reach is tried again; a visit that it refuses is given up by itself. */
  async #insist(batch: Engagement[]): Promise<void> {
    const { signal } = this.#cut;
    for (let wait = first_retry_ms; ; wait = Math.min(wait * 2, longest_retry_ms)) {
      try {
        this.#count(await recordEngagement(this.#db, batch));
        return;
      } catch (error) {
        const err = error as Error;
        const isOutage = problemFromError(err)?.code === 'service_unavailable';
        if (!isOutage && batch.length > 1) break;
        if (!isOutage || signal.aborted) {
          this.#log.error({ err }, 'opens or clicks could not be written');
          this.#lose(batch.length);
          return;
        }
        this.#log.warn({ err }, 'opens and clicks wait for the database');
        await delay(wait, undefined, { signal }).catch(() => undefined);
      }
    }
    const middle = Math.ceil(batch.length / 2);
    await this.#insist(batch.slice(0, middle));
    await this.#insist(batch.slice(middle));
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
    if (now - this.#complained < complain_every_ms) return;
    this.#complained = now;
    this.#log.error({ lost: this.#lost }, 'opens and clicks were lost');
    this.#lost = 0;
  }
}

function sizeOf({ url, user_agent }: Visit): number {
  return bytes_each + (url?.length ?? 0) + (user_agent?.length ?? 0);
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
