import { setTimeout as delay } from 'node:timers/promises';
import { processorTime } from './processor-time.ts';
import { startSink } from './sink.ts';

export interface Round {
  per_second: number;
  /** Processor time a message: of the process itself, and of those below it (PostgreSQL; postfix's many). */
  own_us: number;
  others_us: number;
}

export interface Case {
  name: string;
  key: string;
  messages: number;
  /** Submits so many messages. */
  load: (messages: number) => Promise<unknown>;
  /** Processes whose work counts, with all below them. */
  pids: number[];
  measured: Round[];
}

/** What a run starts, stopped in the reverse order at its end. */
export class Parts {
  readonly #parts: { stop: () => unknown }[] = [];

  keep<T extends { stop: () => unknown }>(part: T): T {
    this.#parts.push(part);
    return part;
  }

  async stop(): Promise<void> {
    for (const part of this.#parts.toReversed()) await part.stop();
  }
}

/** Where the cases of a run deliver to, and which of them are wanted. */
export interface DeliverRun {
  parts: Parts;
  sink_port: number;
  messages: { plain: number; signed: number; large: number };
  wants: (key: string) => boolean;
}

export const smallBytes = 4_000;
export const largeBytes = 100_000;
export const connections = 20;
const longestRoundMs = 180_000;

/** From the first submission to the last 250 of the sink. */
export async function measureDelivery(
  { load, pids, name }: Case,
  sinkPort: number,
  messages: number,
): Promise<Round> {
  const sink = await startSink(sinkPort, messages);
  const before = timeOf(pids);
  const began = performance.now();
  const late = new AbortController();
  try {
    await load(messages);
    const full = await Promise.race([sink.full, delay(longestRoundMs, undefined, { signal: late.signal })]);
    if (full === undefined) throw new Error(`${name}: not all of ${messages} messages came through`);
    // What is still written down about the last ones belongs to them.
    await delay(500);
    const after = timeOf(pids);
    return {
      per_second: messages / ((full - began) / 1000),
      own_us: (after.own_us - before.own_us) / messages,
      others_us: (after.others_us - before.others_us) / messages,
    };
  } finally {
    late.abort();
    await sink.stop();
  }
}

function timeOf(pids: number[]): { own_us: number; others_us: number } {
  const times = pids.map(processorTime);
  const sum = (key: 'own_us' | 'others_us'): number => times.reduce((total, time) => total + time[key], 0);
  return { own_us: sum('own_us'), others_us: sum('others_us') };
}
