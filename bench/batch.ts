import { loadBatches, loadHttp, measureRound, ourTarget, type Round } from './support/accept-load.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest } from './support/service-under-test.ts';
import { median } from './support/share.ts';
import { targetOf } from './support/targets.ts';

/**
 * Mails of batches beside single sends of the same mail, in turns: `npm run bench -- batch`. What a call costs besides its
 * mails (connection, headers, key, rate, commit) is shared by those of a batch.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
/** Rounds until what runs in Node is compiled. */
const warm_up = 2;
const sizes = [10, 100, 500];

interface Case {
  name: string;
  load: (share: number) => ReturnType<typeof loadHttp>;
  measured: Round[];
}

function row({ name, measured }: Case, single: Case): string {
  const of = (key: 'per_second' | 'own_us' | 'all_us'): string =>
    median(measured.map((round) => round[key])).toFixed(0);
  const against = (ratio: (ours: Round, theirs: Round) => number): string =>
    median(measured.map((round, at) => ratio(round, single.measured[at] ?? round))).toFixed(2);
  const cells = [name, of('per_second'), against((ours, one) => ours.per_second / one.per_second)];
  const work = [of('own_us'), against((ours, one) => one.own_us / ours.own_us)];
  const all = [of('all_us'), against((ours, one) => one.all_us / ours.all_us)];
  return `| ${[...cells, ...work, ...all, targetOf('batch', name)].join(' | ')} |`;
}

export async function benchBatch(): Promise<void> {
  const service = await startServiceUnderTest('api,submission', {});
  try {
    const target = await ourTarget(service);
    const single: Case = {
      name: 'single sends',
      load: async (share) => await loadHttp(target, 1, share),
      measured: [],
    };
    const batches = sizes.map((size): Case => ({
      name: `batches of ${size}`,
      load: async (share) => await loadBatches(target, size, share),
      measured: [],
    }));
    const cases = [single, ...batches];
    for (let round = -warm_up; round < rounds; round += 1)
      for (const { load, measured } of cases) {
        const one = await measureRound({ pid: target.pid, load }, 1);
        if (round >= 0) measured.push(one);
      }
    const lines = [
      `${rounds} rounds in turns; medians. 3 KB of JSON and one recipient a mail, nothing delivered. "Times" says how many mails one single send is worth in rate and in processor time, of the service's own process and with PostgreSQL.`,
      '',
      '| | mails/s | times | CPU µs/mail, own process | times | all | times | target |',
      '|---|---|---|---|---|---|---|---|',
      ...cases.map((each) => row(each, single)),
    ];
    keepResults('batch', lines);
    console.log(lines.join('\n'));
  } finally {
    await service.stop();
  }
}
