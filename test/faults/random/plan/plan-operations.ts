import { drawBatch, drawBurst, drawMeanwhile, drawSend } from './draw-mail.ts';
import type { Person } from './people.ts';
import type { PlannedFault } from './plan-faults.ts';
import type {
  Planned,
  PlannedChange,
  PlannedForm,
  PlannedLift,
  PlannedOperation,
  PlannedReaction,
  PlannedRead,
} from './planned.ts';
import type { Random } from './prng.ts';

interface Surroundings {
  length_ms: number;
  people: Person[];
  nodes: readonly string[];
  faults: PlannedFault[];
}

const operationsPerSecond = 6;

export function planOperations(random: Random, surroundings: Surroundings): PlannedOperation[] {
  const { length_ms, people, nodes, faults } = surroundings;
  const operations: PlannedOperation[] = [];
  const draw = createDraw(random, people, operations);
  for (let at_ms = 0; ; at_ms += (-Math.log(1 - random.next()) * 1000) / operationsPerSecond) {
    if (at_ms > length_ms) break;
    const id = `o${operations.length}`;
    const operation = draw({ id, at_ms: Math.round(at_ms), at_node: random.integer(0, nodes.length - 1) });
    if (operation) operations.push(operation);
  }
  const usual = people.flatMap(({ kind }, index) => (kind === 'usual' ? [index] : []));
  const bursts = faults
    .filter(({ kind }) => kind === 'freeze node')
    .map((fault) => drawBurst(random, usual, fault));
  const meanwhile = operations.map((operation) =>
    operation.kind === 'erasure' ? drawMeanwhile(random, operation) : [],
  );
  return [...operations, ...bursts.flat(), ...meanwhile.flat()].toSorted((a, b) => a.at_ms - b.at_ms);
}

type Draw = (planned: Planned) => PlannedOperation | undefined;

function createDraw(random: Random, people: Person[], before: PlannedOperation[]): Draw {
  const indexesOf = (...kinds: Person['kind'][]): number[] =>
    people.flatMap(({ kind }, index) => (kinds.includes(kind) ? [index] : []));
  const all = indexesOf('usual', 'later', 'gone', 'erasable');
  const acting = indexesOf('usual', 'later');
  const erasable = indexesOf('erasable');
  // Most of what they decide is about mail that waits.
  const decider = (): number => random.pick(random.chance(0.6) ? indexesOf('later') : acting);
  const reaction =
    (kind: PlannedReaction['kind']): Draw =>
    (planned) => ({ ...planned, kind, person: decider() });
  const draws: [number, Draw][] = [
    [60, (planned) => drawSend(random, all, planned)],
    [5, (planned) => drawBatch(random, all, planned)],
    [
      8,
      (planned) => ({
        ...planned,
        kind: 'consent',
        person: decider(),
        action: random.pick(['allow', 'deny']),
      }),
    ],
    [4, reaction('unsubscribe')],
    [2, reaction('resubscribe')],
    [0.6, reaction('complain')],
    [6, reaction('open')],
    [4, reaction('click')],
    [0.7, (planned) => ({ ...planned, kind: 'erasure', person: random.pick(erasable) })],
    [1, (planned) => ({ ...planned, kind: 'blocking', person: decider() })],
    [1.5, (planned) => drawLift(random, before, planned)],
    [1, (planned) => ({ ...planned, kind: 'opposition', person: decider() })],
    [4, (planned) => drawForm(random, planned)],
    [2, (planned) => ({ ...planned, kind: random.pick(['pause webhook', 'resume webhook']) })],
    [8, (planned) => drawRead(random, before, planned)],
    [5, (planned) => drawChange(random, before, planned)],
  ];
  return (planned) => random.weighted(draws)(planned);
}

function drawLift(random: Random, before: PlannedOperation[], planned: Planned): PlannedLift | undefined {
  const blockings = before.filter(({ kind }) => kind === 'blocking');
  return blockings.length === 0 ? undefined : { ...planned, kind: 'lift', of: random.pick(blockings).id };
}

function drawForm(random: Random, planned: Planned): PlannedForm {
  return {
    ...planned,
    kind: 'form',
    // Each to another address, since an address gets at most three such mails in a day.
    address: `form-${planned.id}@r${random.integer(0, 7)}.test`,
    confirms_after_ms: random.chance(0.7) ? random.integer(1_000, 20_000) : undefined,
  };
}

function drawRead(random: Random, before: PlannedOperation[], planned: Planned): PlannedRead | undefined {
  const sends = before.filter(({ kind }) => kind === 'send').slice(-40);
  return sends.length === 0 ? undefined : { ...planned, kind: 'read', of: random.pick(sends).id };
}

/** Mostly of what waits for its time. */
function drawChange(random: Random, before: PlannedOperation[], planned: Planned): PlannedChange | undefined {
  const sends = before.filter((operation) => operation.kind === 'send').slice(-60);
  const waiting = sends.filter(({ schedule_at_ms = 0 }) => schedule_at_ms > planned.at_ms);
  const from = waiting.length > 0 && random.chance(0.8) ? waiting : sends;
  if (from.length === 0) return undefined;
  const kind = random.pick(['cancel', 'cancel', 'reschedule'] as const);
  const schedule_at_ms = planned.at_ms + random.integer(-1_000, 30_000);
  return { ...planned, kind, of: random.pick(from).id, schedule_at_ms };
}
