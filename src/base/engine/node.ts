import { randomBytes, randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../db/database.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from './loop.ts';
import { mayBeRunning, placeOfThisProcess, type ProcessPlace } from './process-place.ts';

interface NodeOptions {
  db: Database;
  log: Log;
  roles: readonly string[];
  version: string;
  /** Of everything that is kept under leases, whatever the roles of this node. */
  releases: readonly ReleaseLeases[];
  /** Without a heartbeat for this long a node is declared dead. */
  dead_after_ms: number;
}

export interface LostLeases {
  /** Of dead nodes, whose leases begin with their ids. */
  nodes: string[];
  /** Of claims whose answer was lost, so that nobody works on what they took. */
  leases: string[];
}

/** Frees what is held under the leases. Gives how much that was. */
export type ReleaseLeases = (tx: Queryable, lost: LostLeases) => Promise<number>;

/** Within the time after which a node is declared dead. */
const heartbeats = 18;
/** Longer than the time limit of a statement. */
const claim_outlives_ms = 30_000;

const heartbeat = `
  insert into nodes (id, place, pid, process_start, roles, version) values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do update set seen_at = now()`;
const others = 'select id, place, pid, process_start from nodes where id <> $1 and place = $2';
/** One node does it: the others skip the rows it holds. */
const removeDead = `
  delete from nodes where id in (
    select id from nodes where id <> $1
      and (id = any ($2::text[]) or ($3 and seen_at < now() - $4 * interval '1 millisecond'))
    for update skip locked)
  returning id`;

/**
 * One process that claims work. It reports itself every few seconds, and releases what others held that are gone: at
 * once when it can see that their process is, else when they have been silent for long. It judges others by their
 * silence only after it has itself been heard for as long without a gap: after an outage of the database everybody
 * was silent.
 */
export class Node {
  readonly id = randomBytes(4).toString('hex');
  readonly #options: NodeOptions;
  readonly #dead_after_ms: number;
  readonly #place: ProcessPlace = placeOfThisProcess();
  readonly #loop: Loop;
  /** Of the last heartbeat that the database has, when it was sent. */
  #seen: { monotonic: number; wall: number } | undefined;
  /** Since when there has been no gap between heartbeats. */
  #since = 0;
  /** Leases of claims without an answer, and until when they are looked for: the claim may still be under way. */
  readonly #unanswered = new Map<string, number>();

  constructor(options: NodeOptions) {
    const { log, dead_after_ms } = options;
    this.#options = options;
    this.#dead_after_ms = dead_after_ms;
    this.#loop = createLoop({
      name: 'the heartbeat of this node',
      log,
      step: async () => {
        await this.beat();
        return dead_after_ms / heartbeats;
      },
    });
  }

  newLease(): string {
    return this.id + randomUUID().slice(this.id.length);
  }

  /** Reports this node before it can claim anything. */
  async start(): Promise<void> {
    await this.beat();
    this.#loop.start();
  }

  /** Whether no other node can have declared this one dead since its last heartbeat. */
  isHeard(): boolean {
    return this.#silence() < this.#dead_after_ms / 3;
  }

  /** Whether a lease that was taken then, by the monotonic clock, is certainly still held. */
  holdsSince(leased_at: number): boolean {
    return leased_at >= this.#since && this.isHeard();
  }

  /** The answer to a claim under this lease was lost: what it took, if anything, is released. */
  abandon(lease: string): void {
    this.#unanswered.set(lease, Infinity);
    this.#loop.wake();
  }

  async beat(): Promise<void> {
    const { db, roles, version } = this.#options;
    const { place, pid, process_start } = this.#place;
    const sent = { monotonic: performance.now(), wall: Date.now() };
    const hadGap = this.#seen === undefined || !this.isHeard();
    await db.query(heartbeat, [this.id, place, pid, process_start, roles, version]);
    if (hadGap) this.#since = sent.monotonic;
    this.#seen = sent;
    await this.#releaseDead();
    if (this.#unanswered.size > 0) await this.#releaseUnanswered();
  }

  /** It holds no lease any more. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#options.db.query('delete from nodes where id = $1', [this.id]);
  }

  /** Also while the process or the machine was stopped, whichever clock went on meanwhile. */
  #silence(): number {
    if (!this.#seen) return Infinity;
    const { monotonic, wall } = this.#seen;
    return Math.max(performance.now() - monotonic, Math.abs(Date.now() - wall));
  }

  async #releaseDead(): Promise<void> {
    const { db, log } = this.#options;
    const mayJudge = performance.now() - this.#since >= this.#dead_after_ms;
    const gone = await this.#findGone();
    if (!mayJudge && gone.length === 0) return;
    const released = await db.transaction(async (tx) => {
      const values = [this.id, gone, mayJudge, this.#dead_after_ms];
      const dead = (await tx.query<{ id: string }>(removeDead, values)).map(({ id }) => id);
      return { dead, count: dead.length > 0 ? await this.#release(tx, { nodes: dead, leases: [] }) : 0 };
    });
    if (released.dead.length > 0)
      log.warn({ nodes: released.dead, leases: released.count }, 'released what dead nodes held');
  }

  async #releaseUnanswered(): Promise<void> {
    const { db, log } = this.#options;
    const leases = [...this.#unanswered.keys()];
    const count = await db.transaction(async (tx) => await this.#release(tx, { nodes: [], leases }));
    if (count > 0) log.warn({ leases: count }, 'released what a claim without an answer had taken');
    const now = performance.now();
    for (const [lease, until] of this.#unanswered) {
      if (until === Infinity) this.#unanswered.set(lease, now + claim_outlives_ms);
      else if (until < now) this.#unanswered.delete(lease);
    }
  }

  async #release(tx: Queryable, lost: LostLeases): Promise<number> {
    let count = 0;
    for (const release of this.#options.releases) count += await release(tx, lost);
    return count;
  }

  async #findGone(): Promise<string[]> {
    if (this.#place.place === undefined) return [];
    const rows = await this.#options.db.query<ProcessPlace & { id: string }>(others, [
      this.id,
      this.#place.place,
    ]);
    return rows.filter((row) => !mayBeRunning(row, this.#place)).map(({ id }) => id);
  }
}

/** SQL that is true for a lease that was lost; `$1` are the nodes and `$2` the leases. */
export function isLost(column: string): string {
  return `${column} is not null and (left(${column}::text, 8) = any ($1::text[]) or ${column} = any ($2::uuid[]))`;
}
