import { execFileSync } from 'node:child_process';
import path from 'node:path';
import {
  loadHttp,
  loadSmtp,
  measureRound,
  ourTarget,
  type Measured,
  type Target,
} from './support/accept-load.ts';
import { measureDelivery, Parts, type Case } from './support/deliver-case.ts';
import { caseOfCheckout } from './support/deliver-services.ts';
import { freePort } from './support/postfix.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest } from './support/service-under-test.ts';
import { median } from './support/share.ts';

/**
 * Accept and delivery of this checkout and of another one, both under load at the same time:
 * `npm run bench -- compare DIR [TEXT]`, of all or of those with the text in their name. Whatever else the machine does, it does to both, so that a few per cent are seen where rounds
 * in turns differ by twenty. The rates are those of two that share a machine: only their ratio means something.
 */
const rounds = Number(process.env['ROUNDS'] ?? 8);
/** The same code differed by up to 17 % by which service started first, and by a tenth from start to start. */
const starts = 4;
/** Of each start. What is meant is sustained load: until then V8 is still compiling. */
const uncounted = 1;
/** Of a round of `accept`. */
const share = 3;
/** Load after a round that is not counted: the checkout that is done first would leave the machine to the other. */
const tail = 0.2;
const deliveredARound = 12_000;

interface Round {
  per_second: number;
  /** Processor time of the process itself, a message. */
  own_us: number;
}

/** One side of a comparison. */
interface Side {
  measure: () => Promise<Round>;
  /** Uncounted load. */
  goOn: () => Promise<unknown>;
}

interface Pair {
  other: Round;
  ours: Round;
}

/** Both sides of one kind of work. */
interface Work {
  name: string;
  sides: [Side, Side];
}

interface Comparison {
  name: string;
  pairs: Pair[];
}

const loads: Record<string, (target: Target, share: number) => Promise<Measured>> = {
  'Accept: HTTP, 1 recipient': async (target, part) => await loadHttp(target, 1, part),
  'Accept: SMTP submission, sessions reused': async (target, part) => await loadSmtp(target, true, part),
  'Accept: SMTP submission, new session each': async (target, part) => await loadSmtp(target, false, part),
};

/** Waits for both, also when one fails: what the other one starts has to be stopped. */
async function both<A, B>([first, second]: [A, A], work: (each: A) => Promise<B>): Promise<[B, B]> {
  const works: [Promise<B>, Promise<B>] = [work(first), work(second)];
  await Promise.allSettled(works);
  return await Promise.all(works);
}

async function measurePair(sides: [Side, Side]): Promise<Pair> {
  const [other, ours] = await both(sides, async ({ measure, goOn }) => {
    const round = await measure();
    await goOn();
    return round;
  });
  return { other, ours };
}

/** The rounds of one start. */
async function measureStart(sides: [Side, Side]): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = -uncounted; round < rounds / starts; round += 1) {
    const pair = await measurePair(sides);
    if (round >= 0) pairs.push(pair);
  }
  return pairs;
}

const isMeant = (name: string): boolean => name.includes(process.argv[4] ?? '');

async function acceptComparisons(parts: Parts, checkouts: [string, string]): Promise<Work[]> {
  if (!Object.keys(loads).some(isMeant)) return [];
  const targets = await both(checkouts, async (checkout) => {
    const env = { CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true' };
    return await ourTarget(parts.keep(await startServiceUnderTest('api,submission', env, { checkout })));
  });
  return Object.entries(loads)
    .filter(([name]) => isMeant(name))
    .map(([name, load]) => {
      const sideOf = (target: Target): Side => ({
        measure: async () =>
          await measureRound({ pid: target.pid, load: async (part) => await load(target, part) }, share),
        goOn: async () => await load(target, tail * share),
      });
      return { name, sides: [sideOf(targets[0]), sideOf(targets[1])] };
    });
}

const deliver = 'Deliver: 4 KB over SMTP, signatures for free';

async function deliverComparison(parts: Parts, checkouts: [string, string]): Promise<Work[]> {
  if (!isMeant(deliver)) return [];
  const sideOf = (one: Case, sink_port: number): Side => ({
    measure: async () => {
      await measureDelivery(one, sink_port, one.messages * tail);
      return await measureDelivery(one, sink_port, one.messages);
    },
    goOn: async () => await measureDelivery(one, sink_port, one.messages * tail),
  });
  const sides = await both(checkouts, async (checkout) => {
    const sink_port = await freePort();
    return sideOf(await caseOfCheckout({ parts, sink_port }, checkout, deliveredARound), sink_port);
  });
  return [{ name: deliver, sides }];
}

function row({ name, pairs }: Comparison): string {
  const of = (side: keyof Pair, key: 'per_second' | 'own_us'): string =>
    median(pairs.map((pair) => pair[side][key])).toFixed(0);
  const changes = pairs.map(({ other, ours }) => ours.per_second / other.per_second);
  const work = median(pairs.map(({ other, ours }) => ours.own_us / other.own_us));
  const range = `${percent(Math.min(...changes))} to ${percent(Math.max(...changes))}`;
  const rates = [of('other', 'per_second'), of('ours', 'per_second'), percent(median(changes)), range];
  return `| ${[name, ...rates, of('other', 'own_us'), of('ours', 'own_us'), percent(work)].join(' | ')} |`;
}

const percent = (ratio: number): string =>
  `${ratio < 1 ? '−' : '+'}${Math.abs(100 * (ratio - 1)).toFixed(1)} %`;

const commitOf = (checkout: string): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();

export async function benchCompare(): Promise<void> {
  const checkouts: [string, string] = [path.resolve(process.argv[3] ?? ''), path.resolve('')];
  const [other, ours] = checkouts;
  if (other === ours) throw new Error('Which checkout is it compared with? npm run bench -- compare DIR');
  const comparisons = new Map<string, Comparison>();
  // One kind after the other: services that wait still take a little.
  for (const prepare of [acceptComparisons, deliverComparison]) {
    for (let start = 0; start < starts; start += 1) {
      const isSwapped = start % 2 === 1;
      const parts = new Parts();
      try {
        for (const { name, sides } of await prepare(parts, isSwapped ? [ours, other] : [other, ours])) {
          const pairs = await measureStart(isSwapped ? [sides[1], sides[0]] : sides);
          const known = comparisons.get(name);
          if (known) known.pairs.push(...pairs);
          else comparisons.set(name, { name, pairs });
        }
      } finally {
        await parts.stop();
      }
    }
  }
  report([commitOf(other), commitOf(ours)], [...comparisons.values()]);
}

function report([other, ours]: [string, string], comparisons: Comparison[]): void {
  const lines = [
    `Accept and delivery at ${other} and at ${ours}, both under load at the same time; ${rounds} rounds in ${starts} starts, each side first in half of them; medians. Rates are those of two services that share the machine.`,
    '',
    `| | messages/s at ${other} | at ${ours} | change | of the rounds | CPU µs/message of the process at ${other} | at ${ours} | change |`,
    '|---|---|---|---|---|---|---|---|',
    ...comparisons.map(row),
  ];
  if (process.argv[4] === undefined) keepResults('compare', lines);
  console.log(lines.join('\n'));
}
