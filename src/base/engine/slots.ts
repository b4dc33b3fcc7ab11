import { BoundedMap } from '../../protocol/bounded-map.ts';
import { Counts } from '../../protocol/counts.ts';

interface SlotsOptions {
  /** Concurrent attempts of this process. */
  slots: number;
  /** Share of all slots for unproven targets together. */
  unproven_share: number;
}

const responsiveForMs = 60_000;
const maxResponsive = 10_000;

/**
 * The slots of a process, for attempts at targets that may not answer. A target that answered within a minute is responsive,
 * all others are unproven: of those, any number together leave slots to the responsive ones.
 */
export class Slots<Target> {
  readonly #slots: number;
  readonly #unproven_share: number;
  /** Until when it counts that a target answered. */
  readonly #responsive = new BoundedMap<Target, number>({ max_entries: maxResponsive });
  readonly #used = new Counts<Target>();
  #usedByUnproven = 0;

  constructor({ slots, unproven_share }: SlotsOptions) {
    this.#slots = slots;
    this.#unproven_share = unproven_share;
  }

  get free(): number {
    return this.#slots - this.#used.total;
  }

  /** Whether an unproven target may have another one. */
  get hasUnprovenShare(): boolean {
    return this.#usedByUnproven < this.#slots * this.#unproven_share;
  }

  usedBy(target: Target): number {
    return this.#used.of(target);
  }

  /** Targets with a slot in use. */
  usedTargets(): Target[] {
    return Array.from(this.#used.entries(), ([target]) => target);
  }

  /** Also beyond the limits, which are those of the next claim. Returns the function that releases the slot. */
  acquire(target: Target): () => void {
    const unproven = this.#responsive.has(target) ? 0 : 1;
    this.#used.add(target);
    this.#usedByUnproven += unproven;
    return () => {
      this.#used.remove(target);
      this.#usedByUnproven -= unproven;
    };
  }

  learn(target: Target, hasAnswered: boolean, now: number): void {
    if (hasAnswered) this.#responsive.set(target, now + responsiveForMs);
    else this.#responsive.delete(target);
  }

  isResponsive(target: Target, now: number): boolean {
    return (this.#responsive.get(target) ?? 0) > now;
  }

  /** Forgets answers that no longer count. */
  responsiveTargets(now: number): Target[] {
    const targets = [...this.#responsive.keys()];
    for (const target of targets) if (!this.isResponsive(target, now)) this.#responsive.delete(target);
    return [...this.#responsive.keys()];
  }
}
