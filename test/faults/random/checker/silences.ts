import type { FaultEntry, History, MailReceipt } from '../history.ts';

/** A node takes this long from the reply of the server to the commit of the outcome. */
const recordWithinMs = 2_500;
/** From the end of an outage until a node writes again. */
const healWithinMs = 5_000;

const databaseFaults = new Set(['kill database', 'stop database', 'fail over', 'full disk', 'read only']);
const slowingFaults = new Set(['cut answers', 'slow database', 'partition']);
const silencingFaults = new Set(['kill node', 'freeze node', 'partition']);

/**
 * Whether the node that sent a copy had no time to write down that the server took it, so that the mail is rightly sent
 * again: the reply was lost, or the node was stopped before it could, also after a while without a database.
 */
export function isUnheard({ faults }: History, copy: MailReceipt): boolean {
  if (copy.code === 0 || copy.answered_at === undefined) return true;
  let until = copy.answered_at + recordWithinMs;
  const outages = faults
    .filter(({ kind, node }) => databaseFaults.has(kind) || (slowingFaults.has(kind) && node === copy.node))
    .toSorted((a, b) => a.from - b.from);
  for (const outage of outages) {
    if (outage.from <= until && outage.until >= copy.taken_at)
      until = Math.max(until, outage.until + healWithinMs);
  }
  return faults.some(
    (fault) =>
      silencingFaults.has(fault.kind) && fault.node === copy.node && overlaps(fault, copy.taken_at, until),
  );
}

function overlaps({ kind, from, until }: FaultEntry, since: number, to: number): boolean {
  const ends = kind === 'partition' ? until : from + 1_000;
  return from <= to && ends >= since;
}

/**
 * Whether its node was stopped between the server's 354 and the message: nothing can be taken back after that, whatever
 * others did while it stood still.
 */
export function wasInHand({ faults }: History, { node, asked_at, taken_at }: MailReceipt): boolean {
  return faults.some(
    (fault) =>
      fault.kind === 'freeze node' &&
      fault.node === node &&
      fault.from >= asked_at - 5 &&
      fault.from <= taken_at,
  );
}

/** For so long between two times a node stood still, or had no database. */
export function stillMs({ faults }: History, node: string, [from, until]: [number, number]): number {
  return faults
    .filter(
      (fault) => (silencingFaults.has(fault.kind) && fault.node === node) || databaseFaults.has(fault.kind),
    )
    .reduce((sum, fault) => sum + Math.max(0, Math.min(until, fault.until) - Math.max(from, fault.from)), 0);
}
