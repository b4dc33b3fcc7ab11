/** Of the time an owner used. */
const halfLifeMs = 30_000;
const maxOwners = 10_000;

interface Owner<Job> {
  waiting: Job[];
  running: number;
  used_ms: number;
  /** When `used_ms` was computed. */
  at: number;
}

/**
 * A queue that is fair between owners: next is the owner that used the least time recently (exponential decay). A single
 * job waits for the running ones only, however many jobs other owners have and however long those take.
 */
export class FairQueue<Job> {
  readonly #owners = new Map<number, Owner<Job>>();
  readonly #max_waiting: number;
  readonly #max_running: number;

  /** Both per owner. */
  constructor(max_waiting: number, maxRunning = 1) {
    this.#max_waiting = max_waiting;
    this.#max_running = maxRunning;
  }

  /** False when the queue of the owner is full. */
  add(id: number, job: Job): boolean {
    const owner = this.#owners.get(id) ?? { waiting: [], running: 0, used_ms: 0, at: 0 };
    if (owner.waiting.length >= this.#max_waiting) return false;
    owner.waiting.push(job);
    this.#owners.set(id, owner);
    return true;
  }

  /** The next job among those that are wanted. Call `done` when it has ended. */
  take(
    now: number,
    isWanted: (job: Job, used_ms: number) => boolean = () => true,
  ): { id: number; job: Job } | undefined {
    let least: { id: number; owner: Owner<Job>; used: number } | undefined;
    for (const [id, owner] of this.#owners) {
      const [first] = owner.waiting;
      if (owner.running >= this.#max_running || first === undefined) continue;
      const used = usedBy(owner, now);
      if (used < (least?.used ?? Infinity) && isWanted(first, used)) least = { id, owner, used };
    }
    if (!least) return undefined;
    least.owner.running += 1;
    return { id: least.id, job: least.owner.waiting.shift() as Job };
  }

  /** `again`: the job is retried as the owner's next. */
  done(id: number, { used_ms, now, again }: { used_ms: number; now: number; again?: Job | undefined }): void {
    const owner = this.#owners.get(id);
    if (!owner) return;
    Object.assign(owner, { running: owner.running - 1, used_ms: usedBy(owner, now) + used_ms, at: now });
    if (again !== undefined) owner.waiting.unshift(again);
    if (this.#owners.size > maxOwners) this.#evict(now);
  }

  #evict(now: number): void {
    for (const [id, owner] of this.#owners) {
      if (owner.running === 0 && owner.waiting.length === 0 && usedBy(owner, now) < 1)
        this.#owners.delete(id);
    }
  }
}

function usedBy({ used_ms, at }: Pick<Owner<unknown>, 'used_ms' | 'at'>, now: number): number {
  return used_ms * 0.5 ** ((now - at) / halfLifeMs);
}
