import type { PlannedFault } from './plan-faults.ts';
import type { Planned, PlannedBatch, PlannedCall, PlannedKey, PlannedMail, PlannedSend } from './planned.ts';
import type { Random } from './prng.ts';

export function drawSend(random: Random, people: number[], planned: Planned): PlannedSend {
  return {
    ...planned,
    kind: 'send',
    over: random.chance(0.25) ? 'smtp' : 'http',
    ...drawMail(random, people, planned),
    ...drawCall(random),
  };
}

export function drawBatch(random: Random, people: number[], planned: Planned): PlannedBatch {
  const count = random.chance(0.2) ? random.integer(10, 30) : random.integer(2, 6);
  const hasWrong = random.chance(0.3);
  return {
    ...planned,
    kind: 'batch',
    on_error: random.pick(['skip', 'reject']),
    mails: Array.from({ length: count }, () => ({
      ...drawMail(random, people, planned),
      is_wrong: hasWrong && random.chance(0.3),
    })),
    ...drawCall(random),
  };
}

const inHand = { count: 24, from_ms: -2_500, until_ms: -500 };

/** Just before a node is frozen, to that node: what it has in hand then is what it may send twice. */
export function drawBurst(random: Random, people: number[], fault: PlannedFault): PlannedSend[] {
  const { at_ms, node = 0 } = fault;
  const planned = { id: `o${at_ms}n${node}b`, at_ms, at_node: node };
  return drawAround(random, people, { planned, ...inHand }).map((send) => ({
    ...send,
    at_node: node,
    over: 'http',
    sender: 'plain',
    leaves_after_ms: undefined,
    schedule_at_ms: undefined,
  }));
}

const atDecision = { count: 6, from_ms: -1_500, until_ms: 1_500 };

/** While a person decides: what is accepted in that very moment is on one side or on the other. */
export function drawMeanwhile(random: Random, planned: Planned & { person: number }): PlannedSend[] {
  return drawAround(random, [planned.person], { planned, ...atDecision });
}

interface Around {
  planned: Planned;
  count: number;
  from_ms: number;
  until_ms: number;
}

function drawAround(
  random: Random,
  people: number[],
  { planned, count, from_ms, until_ms }: Around,
): PlannedSend[] {
  return Array.from({ length: count }, (_, index) =>
    drawSend(random, people, {
      id: `${planned.id}s${index}`,
      at_ms: Math.max(0, planned.at_ms + random.integer(from_ms, until_ms)),
      at_node: random.integer(0, 5),
    }),
  );
}

function drawMail(random: Random, people: number[], { at_ms }: Planned): PlannedMail {
  return {
    sender: random.weighted([
      [4, 'plain'],
      [3, 'news'],
      [3, 'club'],
    ]),
    to: random.sample(people, random.chance(0.7) ? 1 : random.integer(2, 4)),
    is_shouted: random.chance(0.15),
    group: random.chance(0.3) ? `group-${random.integer(0, 3)}` : undefined,
    category: random.chance(0.3) ? `category-${random.integer(0, 2)}` : undefined,
    schedule_at_ms: random.chance(0.15) ? at_ms + random.integer(-1_000, 40_000) : undefined,
  };
}

function drawCall(random: Random): PlannedCall {
  return {
    leaves_after_ms: random.chance(0.08) ? random.integer(1, 60) : undefined,
    key: random.chance(0.5) ? drawKey(random) : undefined,
  };
}

function drawKey(random: Random): PlannedKey {
  return {
    tries: random.integer(2, 6),
    again_after_ms: random.chance(0.15) ? random.integer(0, 20_000) : undefined,
    is_misused: random.chance(0.05),
  };
}
