import { type BatchResult, type ErasureStep, erasureSteps } from './erasure-steps.ts';

/**
 * Where an erasure stands. It walks through the steps, each from the newest row to the oldest: a walk ends, whatever it writes and
 * whatever is added meanwhile. Mail that waits for a delivery makes it walk again, through mails only, and once more through
 * everything when none waits.
 */
export interface ErasurePosition {
  step: string;
  before?: string | undefined;
  /** Mail that this walk had to leave. */
  waiting: number;
  is_about_mails: boolean;
}

export const firstPosition: ErasurePosition = walkFrom(false);

function walkFrom(is_about_mails: boolean): ErasurePosition {
  return { step: erasureSteps[0]?.name ?? '', waiting: 0, is_about_mails };
}

/** The step to be taken; the first one where a version that knew other steps stopped. */
export function stepAt({ step }: ErasurePosition): ErasureStep {
  const found = erasureSteps.find(({ name }) => name === step) ?? erasureSteps[0];
  if (!found) throw new Error('an erasure has steps');
  return found;
}

/** What follows a batch: the next one; a walk that begins later, since mail waits; or nothing, when everything is erased. */
export type NextErasure =
  | { kind: 'batch'; position: ErasurePosition }
  | { kind: 'wait'; position: ErasurePosition }
  | { kind: 'done' };

export function positionAfter(position: ErasurePosition, { next, waiting: more }: BatchResult): NextErasure {
  const waiting = position.waiting + more;
  if (next !== undefined) return { kind: 'batch', position: { ...position, waiting, before: next } };
  const { is_about_mails } = position;
  const index = erasureSteps.indexOf(stepAt(position));
  const following = erasureSteps.slice(index + 1).find((each) => each.isAboutMails || !is_about_mails);
  if (following) return { kind: 'batch', position: { step: following.name, waiting, is_about_mails } };
  if (waiting > 0) return { kind: 'wait', position: walkFrom(true) };
  return is_about_mails ? { kind: 'batch', position: walkFrom(false) } : { kind: 'done' };
}
