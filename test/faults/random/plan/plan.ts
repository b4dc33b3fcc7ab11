import { planFaults, type DatabaseKind, type PlannedFault } from './plan-faults.ts';
import { planOperations } from './plan-operations.ts';
import type { PlannedOperation } from './planned.ts';
import { planPeople, type Person } from './people.ts';
import { createRandom, type Random } from './prng.ts';

/** All that is decided before anything runs. The same seed, length and machine make the same plan. */
export interface Plan {
  seed: number;
  /** Of the workload; healing and checking take up to a minute more. */
  seconds: number;
  database: DatabaseKind;
  /** The roles of each node. */
  nodes: string[];
  people: Person[];
  operations: PlannedOperation[];
  faults: PlannedFault[];
  /** Faults that were drawn and cannot be made here, with the reason. */
  skipped: string[];
}

export interface PlanRequest {
  seed: number;
  seconds: number;
  /** Why there is no small disk here; undefined where there is one. */
  no_small_disk: string | undefined;
}

const everything = 'api,web,submission,delivery,jobs,webhooks';
const layouts = [
  [everything],
  [everything, everything],
  ['api,web,submission,jobs,webhooks', everything],
  [everything, everything, everything],
  ['api,web,submission,jobs', everything, 'delivery,webhooks'],
  ['api,web,submission,delivery', 'api,web,submission,webhooks,delivery', 'delivery,jobs'],
] as const;

export function makePlan({ seed, seconds, no_small_disk }: PlanRequest): Plan {
  const random = createRandom(`seed ${seed}`);
  const skipped: string[] = [];
  const database = pickDatabase(random.fork('database'), no_small_disk, skipped);
  const nodes = [...random.fork('nodes').pick(layouts)];
  const people = planPeople();
  const length_ms = seconds * 1000;
  const faults = planFaults(random.fork('faults'), { length_ms, nodes, database });
  return {
    seed,
    seconds,
    database,
    nodes,
    people,
    operations: planOperations(random.fork('operations'), { length_ms, people, nodes, faults }),
    faults,
    skipped,
  };
}

function pickDatabase(random: Random, no_small_disk: string | undefined, skipped: string[]): DatabaseKind {
  const kind = random.weighted<DatabaseKind>([
    [5, 'one server'],
    [2, 'small disk'],
    [3, 'with a standby'],
  ]);
  if (kind !== 'small disk' || no_small_disk === undefined) return kind;
  skipped.push(`a full disk: ${no_small_disk}`);
  return random.pick(['one server', 'with a standby']);
}

/** In a few lines: what is going to happen. */
export function describePlan({ nodes, database, operations, faults, seconds, skipped }: Plan): string[] {
  const counts = Map.groupBy(operations, ({ kind }) => kind);
  const kinds = [...counts].map(([kind, list]) => `${list.length} ${kind}`);
  return [
    `${nodes.length} nodes (${nodes.join(' | ')}), database: ${database}, ${seconds} s`,
    `operations: ${kinds.join(', ')}`,
    `faults: ${faults.map(describeFault).join('; ')}`,
    ...skipped.map((what) => `skipped: ${what}`),
  ];
}

function describeFault({ kind, at_ms, held_ms, node }: PlannedFault): string {
  const where = node === undefined ? '' : ` n${node + 1}`;
  return `${kind}${where} at ${(at_ms / 1000).toFixed(0)} s for ${(held_ms / 1000).toFixed(1)} s`;
}
