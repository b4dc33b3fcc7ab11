import assert from 'node:assert/strict';
import { seededRandom } from './seeded-random.fixture.ts';

/** Microseconds of processor, the least of some rounds. */
function cost(work: () => void, rounds: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Short times say nothing of growth. */
const worthMeasuringUs = 10_000;
const attempts = 8;

interface Growth {
  /** What is repeated: single ones, pairs and triples. */
  pieces: string[];
  seed: number;
  /** Stands before and after what is repeated. */
  around?: [string, string][];
  octets: number;
  /** At most, for each octet of the longer text. */
  ns_per_octet: number;
}

/**
 * Holds a reader to time in proportion to its input: a text twice as long takes less than three and a half times as long (quadratic growth: four), and no
 * octet more than a bound.
 */
export function assertLinear(
  read: (text: string) => unknown,
  { pieces, seed, around = [['', '']], octets, ns_per_octet }: Growth,
): void {
  const random = seededRandom(seed);
  const pick = (): string => pieces[Math.floor(random() * pieces.length)] ?? '';
  const mixed = Array.from({ length: 60 }, (_, index) => pick() + pick() + (index % 2 === 0 ? '' : pick()));
  for (const repeated of [...pieces, ...mixed]) {
    for (const [before, after] of around) {
      const text = (length: number): string =>
        before + repeated.repeat(Math.ceil(length / repeated.length)) + after;
      const [short, long] = [text(octets), text(2 * octets)];
      const sample = JSON.stringify([before, repeated, after]);
      let taken = cost(() => read(long), 1);
      if (taken < worthMeasuringUs) continue;
      let half = cost(() => read(short), 2);
      const isLinear = (): boolean =>
        taken < worthMeasuringUs || (taken * 1000 < long.length * ns_per_octet && taken < 3.5 * half);
      // A busy machine disturbs some rounds, and quadratic growth is in all of them.
      for (let attempt = 0; attempt < attempts && !isLinear(); attempt += 1) {
        taken = Math.min(
          taken,
          cost(() => read(long), 3),
        );
        half = Math.min(
          half,
          cost(() => read(short), 3),
        );
      }
      assert.ok(isLinear(), `${sample} took ${half} µs, and twice as much of it ${taken} µs`);
    }
  }
}
