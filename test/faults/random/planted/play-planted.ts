import type { Violation } from '../checker/evidence.ts';
import { playRandom } from '../play-random.ts';
import { plant } from './plant.ts';
import type { PlantedBug } from './planted-bugs.ts';

export interface PlantedOptions {
  code: string;
  /** Of the first run; the following ones have the next. */
  seed: number;
  /** Of each run. */
  minutes: number;
  note: (text: string) => void;
  onStage: (end: () => Promise<void>) => void;
}

export interface Found {
  /** Undefined when it was not found in time. */
  by_seed: number | undefined;
  after_ms: number;
  violations: Violation[];
}

/** Contract of the bed: a bug that is there is found within so long. */
const within_ms = 600_000;

/** Runs seed after seed on code with the bug until one finds it. */
export async function playPlanted(bug: PlantedBug, options: PlantedOptions): Promise<Found> {
  const began = Date.now();
  const { folder, remove } = plant(options.code, bug);
  try {
    for (let seed = options.seed; Date.now() - began < within_ms; seed += 1) {
      const all = await playRandom({ ...options, seed, code: folder }).catch((error: Error) => {
        options.note(`seed ${seed} could not be set up: ${error.message}`);
        return [];
      });
      const violations = all.filter(({ invariant }) => bug.violates.includes(invariant));
      const after_ms = Date.now() - began;
      if (violations.length > 0) return { by_seed: seed, after_ms, violations };
    }
    return { by_seed: undefined, after_ms: Date.now() - began, violations: [] };
  } finally {
    await remove();
  }
}
