/** What the client of one send knows of it. */
export interface Sent {
  id: string;
  node: string;
  at: number;
  /** Unanswered: the connection broke, or the wait was over. */
  answer: 'pending' | 'acknowledged' | 'refused' | 'unanswered';
  answered_at: number;
  /** The reply's status, in words where there was none. */
  reply: string;
}

/** One whole message that came to a remote server. */
export interface Copy {
  id: string;
  /** Whose server it came to: each node has one of its own. */
  node: string;
  at: number;
  /** When 250 went out; undefined when the connection had ended by then. */
  answered_at: number | undefined;
}

/** A time in which a node could neither read an answer nor write one down. */
export interface Silence {
  node: string;
  from: number;
  until: number;
}

/** Everything that was sent, everything that arrived, and who was silent when. */
export interface Ledger {
  sent: Map<string, Sent>;
  copies: Map<string, Copy[]>;
  silences: Silence[];
}

export function createLedger(): Ledger {
  return { sent: new Map(), copies: new Map(), silences: [] };
}

export function acknowledged({ sent }: Ledger): Sent[] {
  return [...sent.values()].filter(({ answer }) => answer === 'acknowledged');
}

/** As long as an outcome takes from the reply of the server to the commit. */
const recordWithinMs = 2_000;

/** Whether the server took the mail and its node never had the time to write that down. */
export function isUnheard({ silences }: Ledger, { node, at, answered_at }: Copy): boolean {
  return silences.some(
    (silence) =>
      silence.node === node &&
      at <= silence.until &&
      (answered_at === undefined ? at + 600_000 : answered_at) >= silence.from - recordWithinMs,
  );
}

/** The copies of a mail that should not exist; the last copy is always legitimate. */
export function repeats(ledger: Ledger): { doubled: string[]; unheard: string[] } {
  const doubled: string[] = [];
  const unheard: string[] = [];
  for (const [id, copies] of ledger.copies) {
    if (copies.length < 2) continue;
    const earlier = copies.toSorted((a, b) => a.at - b.at).slice(0, -1);
    if (earlier.every((copy) => isUnheard(ledger, copy))) unheard.push(id);
    else doubled.push(`${id}: ${copies.map((copy) => describe(ledger, copy)).join(', again ')}`);
  }
  return { doubled, unheard };
}

/** When a copy came, and the silence of its node that is nearest to its answer. */
function describe({ silences }: Ledger, { node, at, answered_at = at }: Copy): string {
  const time = (ms: number): string => new Date(ms).toISOString().slice(14, 23);
  const [nearest] = silences
    .filter((silence) => silence.node === node)
    .toSorted((a, b) => Math.abs(a.from - answered_at) - Math.abs(b.from - answered_at));
  const silence = nearest ? `${time(nearest.from)} to ${time(nearest.until)}` : 'never';
  return `by ${node} at ${time(at)}, answered ${time(answered_at)}, silent ${silence}`;
}

/** From the acknowledgement of a mail until it arrived, or until now, the longest of those sent since then. */
export function slowest(ledger: Ledger, since = 0): { id: string; ms: number } {
  const now = Date.now();
  const times = acknowledged(ledger)
    .filter(({ at }) => at >= since)
    .map(({ id, answered_at }) => ({ id, ms: (ledger.copies.get(id)?.[0]?.at ?? now) - answered_at }));
  return times.reduce((worst, each) => (each.ms > worst.ms ? each : worst), { id: '', ms: 0 });
}
