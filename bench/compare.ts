import { execFileSync } from 'node:child_process';
import path from 'node:path';
import {
  loadHttp,
  loadSmtp,
  measureRound,
  ourTarget,
  type Measured,
  type Round,
  type Target,
} from './support/accept-load.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';
import { median } from './support/share.ts';

/**
 * Durable accept of this checkout and of another one, both under load at the same time: `npm run bench -- compare DIR`.
 * Whatever else the machine does, it does to both, so that a few per cent are seen where rounds in turns differ by twenty.
 * The rates are those of two that share a machine: only their ratio means something.
 */
const rounds = Number(process.env['ROUNDS'] ?? 6);
/** Of a round of `accept`: what is meant is sustained load. */
const share = 3;

const loads: Record<string, (target: Target, share: number) => Promise<Measured>> = {
  'HTTP, 1 recipient': async (target, part) => await loadHttp(target, 1, part),
  'SMTP submission, sessions reused': async (target, part) => await loadSmtp(target, true, part),
  'SMTP submission, new session each': async (target, part) => await loadSmtp(target, false, part),
};

interface Pair {
  other: Round;
  ours: Round;
}

async function measurePair([other, ours]: [Target, Target], load: (typeof loads)[string]): Promise<Pair> {
  const measure = async (target: Target): Promise<Round> =>
    await measureRound({ pid: target.pid, load: async (part) => await load(target, part) }, share);
  const [theirs, own] = await Promise.all([measure(other), measure(ours)]);
  return { other: theirs, ours: own };
}

function row(name: string, pairs: Pair[]): string {
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
  const checkouts = [process.argv[3], '.'].map((each) => path.resolve(each ?? ''));
  const [other = '', ours = ''] = checkouts;
  if (other === ours) throw new Error('Which checkout is it compared with? npm run bench -- compare DIR');
  const services: ServiceUnderTest[] = [];
  try {
    for (const checkout of checkouts) {
      services.push(
        await startServiceUnderTest('api,submission', { CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true' }, { checkout }),
      );
    }
    const [theirs, own] = await Promise.all(services.map(ourTarget));
    if (!theirs || !own) return;
    const pairs = Object.fromEntries(Object.keys(loads).map((name): [string, Pair[]] => [name, []]));
    for (let round = -1; round < rounds; round += 1) {
      for (const [name, load] of Object.entries(loads)) {
        const pair = await measurePair([theirs, own], load);
        if (round >= 0) pairs[name]?.push(pair);
      }
    }
    report([commitOf(other), commitOf(ours)], pairs);
  } finally {
    for (const service of services) await service.stop();
  }
}

function report([other, ours]: [string, string], pairs: Record<string, Pair[]>): void {
  const lines = [
    `Durable accept at ${other} and at ${ours}, both under load at the same time; ${rounds} rounds after one that does not count, medians. Rates are those of two services that share the machine.`,
    '',
    `| | messages/s at ${other} | at ${ours} | change | of the rounds | CPU µs/message of the process at ${other} | at ${ours} | change |`,
    '|---|---|---|---|---|---|---|---|',
    ...Object.entries(pairs).map(([name, each]) => row(name, each)),
  ];
  keepResults('compare', lines);
  console.log(lines.join('\n'));
}
