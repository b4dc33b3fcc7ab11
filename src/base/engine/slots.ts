import { BoundedMap } from '../../protocol/bounded-map.ts';

interface SlotsOptions {
  /** Concurrent attempts of this process. */
  slots: number;
  /** Share of all slots for unproven targets together. */
  unproven_share: number;
}

/** A slot in use. */
export interface Slot {
  is_unproven: boolean;
}

const responsive_for_ms = 60_000;
const max_responsive = 10_000;

/**
 * The slots of a process, for attempts at targets that may not answer. A target that answered within a minute is responsive,
 * all others are unproven: of those, any number together leave slots to the responsive ones.
 */
export class Slots<Target> {
  readonly #slots: number;
  readonly #unproven_share: number;
  /** Until when it counts that a target answered. */
  readonly #responsive = new BoundedMap<Target, number>({ max_entries: max_responsive });
  #used = 0;
  #usedByUnproven = 0;

  constructor({ slots, unproven_share }: SlotsOptions) {
    this.#slots = slots;
    this.#unproven_share = unproven_share;
  }

  get free(): number {
    return this.#slots - this.#used;
  }

  /** Whether an unproven target may have another one. */
  get hasUnprovenShare(): boolean {
    return this.#usedByUnproven < this.#slots * this.#unproven_share;
  }

  /** Also beyond the limits, which are those of the next claim. */
  acquire(target: Target): Slot {
    const slot = { is_unproven: !this.#responsive.has(target) };
    this.#used += 1;
    if (slot.is_unproven) this.#usedByUnproven += 1;
    return slot;
  }

  release({ is_unproven }: Slot): void {
    this.#used -= 1;
    if (is_unproven) this.#usedByUnproven -= 1;
  }

  learn(target: Target, hasAnswered: boolean, now: number): void {
    if (hasAnswered) this.#responsive.set(target, now + responsive_for_ms);
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

/** Changes the number of a key; keys whose number is 0 are left out. */
export function count<Key>(numbers: Map<Key, number>, key: Key, change: 1 | -1): void {
  const number = (numbers.get(key) ?? 0) + change;
  if (number <= 0) numbers.delete(key);
  else numbers.set(key, number);
}
