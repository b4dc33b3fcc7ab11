import { randomBytes, randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../db/database.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from './loop.ts';
import { thisNodeProcess, mayBeRunning, type NodeProcess } from '../processes/process-identity.ts';

interface NodeOptions {
  db: Database;
  log: Log;
  roles: readonly string[];
  version: string;
  /** One for each kind of leased work, whatever the roles of this node. */
  releases: readonly ReleaseLeases[];
  /** A node without a heartbeat for this long is declared dead. */
  dead_after_ms: number;
}

export interface LostLeases {
  /** Dead nodes; their leases begin with their ids. */
  nodes: string[];
  /** Leases of claims whose answer was lost: the rows are leased, but no node works on them. */
  leases: string[];
  /** How long ago each of these claims began. */
  ages_ms: number[];
}

/** Releases the leased work and returns the number of items. */
export type ReleaseLeases = (tx: Queryable, lost: LostLeases) => Promise<number>;

/** Heartbeats sent within `dead_after_ms`. */
const heartbeats = 18;
/** How long a claim without an answer may still commit: longer than the statement timeout. */
const claimSettlesWithinMs = 30_000;

const heartbeat = `
  insert into nodes (id, place, pid, process_start, roles, version) values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do update set seen_at = now()`;
const sameMachine = `
  select id, place as machine, pid, process_start from nodes where id <> $1 and place = $2`;
/** Rows locked by another node that does the same are skipped. */
const removeDead = `
  delete from nodes where id in (
    select id from nodes where id <> $1
      and (id = any ($2::text[]) or ($3 and seen_at < now() - $4 * interval '1 millisecond'))
    for update skip locked)
  returning id`;

/**
 * A process that claims work. It sends heartbeats and releases the leases of dead nodes: at once when their process on this
 * machine has exited, else when their heartbeats stopped. It declares others dead only after it has itself sent heartbeats
 * without a gap for as long: during a database outage no node can send any.
 */
export class Node {
  readonly id = randomBytes(4).toString('hex');
  /** Of others, by this node. */
  leases_released = 0;
  readonly #options: NodeOptions;
  readonly #dead_after_ms: number;
  readonly #process: NodeProcess = thisNodeProcess();
  readonly #loop: Loop;
  /** When the last successful heartbeat was sent. */
  #lastHeartbeat: { monotonic: number; wall: number } | undefined;
  /** Start of the current run of heartbeats without a gap. */
  #uninterruptedSince = 0;
  /** Leases of claims without an answer, when they began, and until when to look for their rows: the claim may commit late. */
  readonly #unanswered = new Map<string, { began: number; until: number }>();

  constructor(options: NodeOptions) {
    const { log, dead_after_ms } = options;
    this.#options = options;
    this.#dead_after_ms = dead_after_ms;
    this.#loop = createLoop({
      name: 'heartbeat',
      log,
      step: async () => {
        await this.beat();
        return dead_after_ms / heartbeats;
      },
    });
  }

  get version(): string {
    return this.#options.version;
  }

  get roles(): readonly string[] {
    return this.#options.roles;
  }

  newLease(): string {
    return this.id + randomUUID().slice(this.id.length);
  }

  /** Resolves after the first heartbeat: a node without one must not claim. */
  async start(): Promise<void> {
    await this.beat();
    this.#loop.start();
  }

  /** By the clock that ran further: one of them stands still while the machine sleeps. */
  heartbeatAgeMs(): number {
    if (!this.#lastHeartbeat) return Infinity;
    const { monotonic, wall } = this.#lastHeartbeat;
    return Math.max(performance.now() - monotonic, Math.abs(Date.now() - wall));
  }

  /** Whether the last heartbeat is recent enough that no other node can have declared this one dead. */
  isHeartbeatCurrent(): boolean {
    return this.heartbeatAgeMs() < this.#dead_after_ms / 3;
  }

  /** Whether a lease taken at this monotonic time is certainly still held. */
  holdsLeasesSince(leased_at: number): boolean {
    return leased_at >= this.#uninterruptedSince && this.isHeartbeatCurrent();
  }

  /**
   * Claims work under a new lease, and loads what it needs. After a failure the work is not started: the answer of the database
   * may be lost, and whatever was leased is released.
   */
  async claim<Work>(claimUnder: (lease: string) => Promise<Work>): Promise<Work> {
    // What a node claims that was already declared dead would wait until its lease expires.
    if (!this.isHeartbeatCurrent()) await this.beat();
    const lease = this.newLease();
    const began = performance.now();
    try {
      return await claimUnder(lease);
    } catch (error) {
      this.#unanswered.set(lease, { began, until: Infinity });
      this.#loop.wake();
      throw error;
    }
  }

  async beat(): Promise<void> {
    const { db, roles, version } = this.#options;
    const { machine, pid, process_start } = this.#process;
    const sent = { monotonic: performance.now(), wall: Date.now() };
    const hadGap = this.#lastHeartbeat === undefined || !this.isHeartbeatCurrent();
    await db.query(heartbeat, [this.id, machine, pid, process_start, roles, version]);
    if (hadGap) this.#uninterruptedSince = sent.monotonic;
    this.#lastHeartbeat = sent;
    await this.#releaseDead();
    if (this.#unanswered.size > 0) await this.#releaseUnanswered();
  }

  /**
   * Call it when no lease is held any more. A claim without an answer may still commit: then the row stays, and another node
   * releases the leases as those of a dead one.
   */
  async stop(): Promise<void> {
    await this.#loop.stop();
    if (this.#unanswered.size > 0) return;
    await this.#options.db.query('delete from nodes where id = $1', [this.id]);
  }

  async #releaseDead(): Promise<void> {
    const { db, log } = this.#options;
    const mayDeclareDead = performance.now() - this.#uninterruptedSince >= this.#dead_after_ms;
    const exited = await this.#findExited();
    if (!mayDeclareDead && exited.length === 0) return;
    const released = await db.transaction(async (tx) => {
      const values = [this.id, exited, mayDeclareDead, this.#dead_after_ms];
      const dead = (await tx.query<{ id: string }>(removeDead, values)).map(({ id }) => id);
      return {
        dead,
        count: dead.length > 0 ? await this.#release(tx, { nodes: dead, leases: [], ages_ms: [] }) : 0,
      };
    });
    if (released.dead.length > 0)
      log.warn({ nodes: released.dead, leases: released.count }, 'released the leases of dead nodes');
  }

  async #releaseUnanswered(): Promise<void> {
    const { db, log } = this.#options;
    const leases = [...this.#unanswered.keys()];
    const ages_ms = [...this.#unanswered.values()].map(({ began }) => performance.now() - began);
    const count = await db.transaction(async (tx) => await this.#release(tx, { nodes: [], leases, ages_ms }));
    if (count > 0) log.warn({ leases: count }, 'released the leases of claims whose answer was lost');
    const now = performance.now();
    for (const [lease, { began, until }] of this.#unanswered) {
      if (until === Infinity) this.#unanswered.set(lease, { began, until: now + claimSettlesWithinMs });
      else if (until < now) this.#unanswered.delete(lease);
    }
  }

  async #release(tx: Queryable, lost: LostLeases): Promise<number> {
    let count = 0;
    for (const release of this.#options.releases) count += await release(tx, lost);
    this.leases_released += count;
    return count;
  }

  async #findExited(): Promise<string[]> {
    const { machine } = this.#process;
    if (machine === undefined) return [];
    const rows = await this.#options.db.query<NodeProcess & { id: string }>(sameMachine, [this.id, machine]);
    return rows.filter((row) => !mayBeRunning(row, this.#process)).map(({ id }) => id);
  }
}

/** SQL condition for a lost lease; `$1` are the nodes and `$2` the leases of `LostLeases`. */
export function isLost(column: string): string {
  return `${column} is not null and (left(${column}::text, 8) = any ($1::text[]) or ${column} = any ($2::uuid[]))`;
}
