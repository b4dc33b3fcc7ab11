import type { Random } from './prng.ts';

export type DatabaseKind = 'one server' | 'small disk' | 'with a standby';

const nodeFaults = [
  'kill node',
  'restart node',
  'freeze node',
  'cut answers',
  'slow database',
  'partition',
  'clock jump',
] as const;
const databaseFaults = ['kill database', 'stop database', 'fail over', 'full disk', 'read only'] as const;
const outsideFaults = [
  'slow receivers',
  'deferring receivers',
  'cutting receivers',
  'failing webhooks',
  'unverified domain',
] as const;

export type FaultKind =
  | (typeof nodeFaults)[number]
  | (typeof databaseFaults)[number]
  | (typeof outsideFaults)[number];

export interface PlannedFault {
  kind: FaultKind;
  at_ms: number;
  /** From its beginning to its end. */
  held_ms: number;
  /** Index of the node it happens to. */
  node?: number;
  /** How much, by its kind: a share, milliseconds. */
  strength: number;
}

interface Surroundings {
  length_ms: number;
  nodes: readonly string[];
  database: DatabaseKind;
}

const firstAtMs = 5_000;
/** Shorter runs have room for little. */
const wholeRunMs = 60_000;

/** Faults one after the other, which may overlap; of those that exclude each other the second waits. */
export function planFaults(random: Random, surroundings: Surroundings): PlannedFault[] {
  const { length_ms } = surroundings;
  const faults = length_ms < wholeRunMs ? [] : [planLostCommits(random, surroundings)];
  let failovers = 0;
  for (let at_ms = firstAtMs; ; at_ms += random.integer(2_000, 9_000)) {
    const drawn = drawFaults(random, surroundings, at_ms);
    const ends = Math.max(...drawn.map((fault) => fault.at_ms + fault.held_ms));
    if (at_ms > length_ms - 4_000) break;
    const isFailover = drawn.some(({ kind }) => kind === 'fail over');
    if (ends > length_ms || (isFailover && failovers > 0)) continue;
    if (drawn.some((one) => faults.some((other) => exclude(one, other)))) continue;
    if (isFailover) failovers += 1;
    faults.push(...drawn);
  }
  return faults.toSorted((a, b) => a.at_ms - b.at_ms);
}

/** In every whole run: what a lost answer to a commit leaves behind is found only where mail is accepted. */
function planLostCommits(random: Random, { nodes, length_ms }: Surroundings): PlannedFault {
  const accepting = nodes.flatMap((roles, index) => (roles.split(',').includes('api') ? [index] : []));
  const held_ms = random.integer(8_000, 15_000);
  return {
    kind: 'cut answers',
    at_ms: random.integer(firstAtMs, length_ms - held_ms),
    held_ms,
    node: random.pick(accepting),
    strength: random.next() / 2,
  };
}

function drawFaults(random: Random, { nodes, database }: Surroundings, at_ms: number): PlannedFault[] {
  const kind = random.weighted<FaultKind>([
    [3, 'kill node'],
    [1, 'restart node'],
    [6, 'freeze node'],
    [4, 'cut answers'],
    [2, 'slow database'],
    [2, 'partition'],
    [2, 'clock jump'],
    ...databaseWeights[database],
    [2, 'slow receivers'],
    [2, 'deferring receivers'],
    [2, 'cutting receivers'],
    [2, 'failing webhooks'],
    [2, 'unverified domain'],
  ]);
  const fault: PlannedFault = {
    kind,
    at_ms,
    held_ms: random.integer(...holds[kind]),
    strength: random.next(),
    ...((nodeFaults as readonly FaultKind[]).includes(kind)
      ? { node: random.integer(0, nodes.length - 1) }
      : {}),
  };
  // Mail in hand is what a node that wakes up may send twice.
  if (kind !== 'freeze node') return [fault];
  const slow: PlannedFault = { kind: 'slow receivers', at_ms, held_ms: 5_000, strength: 1 };
  return [slow, { ...fault, at_ms: at_ms + 3_500 }];
}

const databaseWeights: Record<DatabaseKind, [number, FaultKind][]> = {
  'one server': [
    [2, 'kill database'],
    [2, 'stop database'],
    [1, 'read only'],
  ],
  'small disk': [
    [4, 'full disk'],
    [1, 'kill database'],
    [1, 'stop database'],
  ],
  'with a standby': [
    [5, 'fail over'],
    [1, 'read only'],
  ],
};

/** Least and most milliseconds. */
const holds: Record<FaultKind, [number, number]> = {
  'kill node': [200, 9_000],
  'restart node': [1_000, 1_000],
  'freeze node': [14_000, 24_000],
  'cut answers': [3_000, 15_000],
  'slow database': [4_000, 15_000],
  partition: [2_000, 16_000],
  'clock jump': [5_000, 25_000],
  'kill database': [100, 4_000],
  'stop database': [1_000, 12_000],
  'fail over': [500, 5_000],
  'full disk': [4_000, 10_000],
  'read only': [2_000, 9_000],
  'slow receivers': [5_000, 12_000],
  'deferring receivers': [3_000, 10_000],
  'cutting receivers': [3_000, 12_000],
  'failing webhooks': [4_000, 20_000],
  'unverified domain': [3_000, 12_000],
};

/** Those that need the same thing at one time, with time to heal in between. */
function exclude(one: PlannedFault, other: PlannedFault): boolean {
  const overlap =
    one.at_ms < other.at_ms + other.held_ms + 1_500 && other.at_ms < one.at_ms + one.held_ms + 1_500;
  return overlap && resourceOf(one) === resourceOf(other);
}

function resourceOf({ kind, node }: PlannedFault): string {
  if ((databaseFaults as readonly FaultKind[]).includes(kind)) return 'database';
  if (kind === 'slow receivers' || kind === 'deferring receivers' || kind === 'cutting receivers')
    return kind;
  return node === undefined ? kind : `node ${node}`;
}
