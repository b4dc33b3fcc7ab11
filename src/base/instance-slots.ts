import { Problem } from './errors/problem.ts';

interface InstanceSlotsOptions {
  per_instance: number;
  /** Of all instances together. */
  in_all?: number;
  /** What is counted, for the refusal: `exports`. */
  what: string;
}

const retry_after_seconds = 30;

/** Limits how much an instance has open in this process, so that unread answers do not take capacity from other instances. */
export class InstanceSlots {
  readonly #options: Required<InstanceSlotsOptions>;
  readonly #open = new Map<number, number>();
  #in_all = 0;

  constructor({ in_all = Infinity, ...options }: InstanceSlotsOptions) {
    this.#options = { in_all, ...options };
  }

  /** Takes a slot of the instance and returns its release, which counts once. */
  enter(instanceId: number): () => void {
    const { per_instance, in_all, what } = this.#options;
    const present = this.#open.get(instanceId) ?? 0;
    if (present >= per_instance)
      throw tooMany(`At most ${per_instance} ${what} of an instance run at a time.`);
    if (this.#in_all >= in_all) throw tooMany(`Too many ${what} are under way.`);
    this.#open.set(instanceId, present + 1);
    this.#in_all += 1;
    let isOpen = true;
    return () => {
      if (isOpen) this.#leave(instanceId);
      isOpen = false;
    };
  }

  #leave(instanceId: number): void {
    this.#in_all -= 1;
    const left = (this.#open.get(instanceId) ?? 1) - 1;
    if (left === 0) this.#open.delete(instanceId);
    else this.#open.set(instanceId, left);
  }
}

export function tooMany(detail: string): Problem {
  return new Problem('rate_limit_exceeded', { detail, retry_after_seconds });
}
