import { uptime } from 'node:os';
import type { Clock } from '../clock.ts';
import type { Queryable, Statement } from './database.ts';

/** The clocks of this machine, in milliseconds. */
export interface NodeTime {
  wall: () => number;
  monotonic: () => number;
  /** Since boot, including suspend, which `monotonic` leaves out. */
  uptime: () => number;
}

const systemTime: NodeTime = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
};

const read: Statement = { name: 'db.read_clock', text: 'select clock_timestamp() as now' };

const maxSkewMs = 5_000;
const syncEveryMs = 5_000;
/** The first of these may open a connection. */
const firstSamples = 3;
/** How much the monotonic clock may drift: ten times what crystals do. */
const maxDrift = 200e-6;

/** Database time minus monotonic time. The true one is at most `error` away (half of the round trip). */
interface Sample {
  offset: number;
  error: number;
  taken_at: number;
}

/**
 * The time of the database, which all nodes share: read every few seconds and extrapolated with the monotonic clock. The
 * node's own wall clock is only compared, to detect that it is wrong.
 */
export class DatabaseClock implements Clock {
  readonly #db: Queryable;
  readonly #time: NodeTime;
  #sample: Sample;
  readonly #start: { wall: number; database: number; uptime: number };
  #timer: NodeJS.Timeout | undefined;

  private constructor(db: Queryable, time: NodeTime, sample: Sample) {
    this.#db = db;
    this.#time = time;
    this.#sample = sample;
    this.#start = { wall: time.wall(), database: this.now().getTime(), uptime: time.uptime() };
  }

  static async open(db: Queryable, time: NodeTime = systemTime): Promise<DatabaseClock> {
    let best = await measure(db, time);
    for (let sample = 1; sample < firstSamples; sample += 1) best = better(best, await measure(db, time));
    return new DatabaseClock(db, time, best);
  }

  now(): Date {
    return new Date(this.#sample.offset + this.#time.monotonic());
  }

  async sync(): Promise<void> {
    this.#sample = better(this.#sample, await measure(this.#db, this.#time));
  }

  /** Syncs periodically. While the database is out of reach the monotonic clock goes on. */
  start(onError: (error: Error) => void): void {
    this.#timer = setInterval(() => void this.sync().catch(onError), syncEveryMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Why the time cannot be trusted for destructive work; undefined when it can. */
  clockError(): string | undefined {
    const { wall, uptime: sinceBoot } = this.#time;
    const database = this.now().getTime();
    const skew = wall() - database;
    if (Math.abs(skew) > maxSkewMs) {
      return `the clock of this node is ${seconds(skew)} ${skew > 0 ? 'ahead of' : 'behind'} the database's`;
    }
    const elapsed = sinceBoot() - this.#start.uptime;
    const stepped = [
      ['this node', wall() - this.#start.wall - elapsed],
      ['the database', database - this.#start.database - elapsed],
    ] as const;
    for (const [whose, step] of stepped) {
      if (Math.abs(step) <= maxSkewMs) continue;
      const way = step > 0 ? 'forward' : 'back';
      return `the clock of ${whose} was set ${way} by ${seconds(step)} since this process started; restart it to accept that`;
    }
    return undefined;
  }
}

function seconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} s`;
}

async function measure(db: Queryable, time: NodeTime): Promise<Sample> {
  const asked = time.monotonic();
  const [row] = await db.query<{ now: Date }>(read);
  const answered = time.monotonic();
  if (!row) throw new Error('The database did not give its time.');
  const offset = row.now.getTime() - (asked + answered) / 2;
  return { offset, error: (answered - asked) / 2, taken_at: answered };
}

/**
 * The newer sample when it is more exact, or when the two contradict each other because a clock was set (Cristian's
 * algorithm). A slow answer of a busy database moves nothing.
 */
function better(known: Sample, sample: Sample): Sample {
  const error = known.error + (sample.taken_at - known.taken_at) * maxDrift;
  const isContradiction = Math.abs(sample.offset - known.offset) > error + sample.error;
  return isContradiction || sample.error <= error ? sample : known;
}
