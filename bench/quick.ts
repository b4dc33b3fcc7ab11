import { acceptShares } from './accept.ts';
import { deliverShares } from './deliver.ts';
import { overheadShares } from './http-overhead.ts';
import { keepResults } from './support/results.ts';
import { median, type Share } from './support/share.ts';
import { trackShares } from './track.ts';

/**
 * A guard against regressions: every hot path for a few seconds beside a bare server that does the same. Run it before and
 * after a change, on a machine that does nothing else. Shares hold on any machine, within a few per cent.
 */
export async function benchQuick(): Promise<void> {
  const began = performance.now();
  const shares: Share[] = [];
  for (const measure of [acceptShares, deliverShares, overheadShares, trackShares]) {
    shares.push(...(await measure()));
  }
  const minutes = (performance.now() - began) / 60_000;
  const lines = [
    `Took ${minutes.toFixed(1)} minutes. Each case beside a bare server in the same rounds; medians. Delivery is without the RSA operation. The targets are those of whole runs.`,
    '',
    '| | share of bare | target | × processor time of bare, own process |',
    '|---|---|---|---|',
    ...shares.map(row),
  ];
  keepResults('quick', lines);
  console.log(lines.join('\n'));
}

function row({ name, target, rounds }: Share): string {
  const share = median(rounds.map(({ ours, bare }) => ours.per_second / bare.per_second));
  const work = median(rounds.map(({ ours, bare }) => ours.own_us / bare.own_us));
  return `| ${[name, share.toFixed(2), target.toFixed(2), work.toFixed(2)].join(' | ')} |`;
}
