import type { Job, JobContext } from '../base/jobs/job.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import type { Person } from '../base/personal-data.ts';
import { backoffDelay } from '../protocol/backoff.ts';
import { batchLimits } from './erase-person.ts';
import { positionAfter, stepAt } from './erasure-position.ts';
import {
  countRunning,
  dueErasures,
  type ErasureProgress,
  lockRunning,
  postpone,
  recordFailure,
  type RunningErasure,
  saveProgress,
} from './erasure-state.ts';
import { erasedWords } from './personal-data.ts';
import { personOf } from './person.ts';
import { recordStep } from './record-step.ts';
import { stopErasure } from './stop-erasure.ts';

/** An erasure is a guest of the installation: what it takes is bounded, and what is left is done later. */
export interface ErasureLimits {
  /** Of one run. */
  run_ms: number;
  /** Of one instance before others are served. */
  slice_ms: number;
  /** Instances that are served at the same time. */
  concurrency: number;
  /** In a row; then it is stopped. */
  max_failures: number;
  /** Of mail that waits: over the pauses between them it waits for two weeks. No delivery takes that long. */
  max_walks: number;
  /** Longer than reading the largest instance takes. */
  max_worked_ms: number;
}

export const erasureLimits: ErasureLimits = {
  run_ms: 20_000,
  slice_ms: 2_000,
  concurrency: 2,
  max_failures: 10,
  max_walks: 350,
  max_worked_ms: 12 * 3_600_000,
};

/** A delivery of seconds is waited for in seconds, and one of days once an hour. */
const walkBackoff = { first_ms: 1_000, most_ms: 3_600_000 };
const failureBackoff = { first_ms: 10_000, most_ms: 3_600_000 };

interface Run extends JobContext {
  limits: ErasureLimits;
  log?: Log | undefined;
  /** Milliseconds since it began. */
  elapsed: () => number;
  errors: unknown[];
  done: number;
}

/**
 * Carries out erasures that were decided: each instance has a slice in turn, until the time of the run is over or nothing is due. One
 * that fails keeps no other one waiting; the first error is thrown at the end.
 */
export async function runErasures(
  context: JobContext,
  { limits = erasureLimits, log }: { limits?: ErasureLimits; log?: Log } = {},
): Promise<{ done: number; left: number }> {
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  const run: Run = { ...context, limits, log, elapsed, errors: [], done: 0 };
  for (let due = await nextDue(run); due.length > 0; due = await nextDue(run)) {
    const lanes = Array.from({ length: limits.concurrency }, async () => {
      for (let next = due.shift(); next && !isOver(run); next = due.shift()) await serve(run, next);
    });
    await Promise.all(lanes);
  }
  if (run.errors.length > 0) throw run.errors[0];
  return { done: run.done, left: await countRunning(context.db) };
}

const isOver = ({ isStopping, elapsed, limits }: Run): boolean => isStopping() || elapsed() > limits.run_ms;
const timeOf = ({ now, elapsed }: Run): Date => new Date(now.getTime() + elapsed());

async function nextDue(run: Run): Promise<RunningErasure[]> {
  return isOver(run) ? [] : await dueErasures(run.db, timeOf(run));
}

/** A slice of one erasure: batch by batch, each in a transaction with the place where the next one begins. */
async function serve(run: Run, erasure: RunningErasure): Promise<void> {
  const { db, limits } = run;
  const until = run.elapsed() + limits.slice_ms;
  try {
    const person = await personOf(db, erasure.instance_id, erasure.contacts);
    let isLeft: boolean;
    do isLeft = await db.transaction(async (tx) => await runBatch(tx, run, { erasure, person }));
    while (isLeft && run.elapsed() < until && !run.isStopping());
    if (isLeft) await postpone(db, erasure.id, { at: timeOf(run) });
  } catch (error) {
    run.errors.push(error);
    await fail(run, erasure, error).catch((lost: unknown) => run.errors.push(lost));
  }
}

interface Work {
  erasure: RunningErasure;
  person: Person;
}

/** True while there is more to be done now. */
async function runBatch(tx: Queryable, run: Run, { erasure, person }: Work): Promise<boolean> {
  await tx.query(batchLimits);
  const progress = await lockRunning(tx, erasure.id);
  if (!progress) return false;
  const { position, worked_ms } = progress;
  const began = run.elapsed();
  const now = timeOf(run);
  const result = await stepAt(position).run(
    tx,
    { person, request_id: erasure.id, now },
    position.before ?? undefined,
  );
  const next = positionAfter(position, result);
  const saved = next.kind === 'done' ? position : next.position;
  await saveProgress(tx, erasure.id, { position: saved, result, worked_ms: run.elapsed() - began });
  if (next.kind === 'done') {
    await close(tx, erasure, now);
    run.done += 1;
    return false;
  }
  if (worked_ms > run.limits.max_worked_ms) return await endlessly(tx, run, erasure);
  return next.kind === 'batch' || (await waitForMail(tx, run, { erasure, progress }));
}

async function waitForMail(
  tx: Queryable,
  run: Run,
  { erasure, progress: { walks } }: { erasure: RunningErasure; progress: ErasureProgress },
): Promise<false> {
  if (walks >= run.limits.max_walks) return await endlessly(tx, run, erasure);
  const at = new Date(timeOf(run).getTime() + backoffDelay(walks + 1, walkBackoff));
  await postpone(tx, erasure.id, { at, walks: 1 });
  return false;
}

async function endlessly(tx: Queryable, run: Run, erasure: RunningErasure): Promise<false> {
  await stopErasure(tx, erasure, { reason: 'no_end', actor: { kind: 'system' }, now: timeOf(run) });
  reportStop(run, erasure, 'no_end');
  return false;
}

async function close(tx: Queryable, erasure: RunningErasure, now: Date): Promise<void> {
  const [closed] = await tx.query<{ progress: Record<string, number> }>(
    `update rights_requests set status = 'fulfilled', closed_at = $2, erasure_position = null, ${erasedWords}
     where id = $1 returning progress`,
    [erasure.id, now],
  );
  const actor = { kind: 'system' } as const;
  const details = closed?.progress ?? {};
  await recordStep(tx, erasure.instance_id, { request: erasure, step: 'fulfilled', actor, at: now, details });
}

/** It is tried again after a pause that grows, and stopped when that does not help. */
async function fail(run: Run, erasure: RunningErasure, error: unknown): Promise<void> {
  const { db, limits, log } = run;
  log?.warn({ err: error, request: erasure.id, instance_id: erasure.instance_id }, 'an erasure failed');
  await db.transaction(async (tx) => {
    const progress = await lockRunning(tx, erasure.id);
    if (!progress) return;
    const now = timeOf(run);
    const { failures, position } = progress;
    await recordFailure(tx, erasure.id, {
      at: new Date(now.getTime() + backoffDelay(failures + 1, failureBackoff)),
      error: `${position.step}: ${codeOf(error)}`.slice(0, 200),
    });
    if (failures + 1 < limits.max_failures) return;
    await stopErasure(tx, erasure, { reason: 'failing', actor: { kind: 'system' }, now });
    reportStop(run, erasure, 'failing');
  });
}

/** Of PostgreSQL or of Node.js. The words of an error may name the person. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name: string };
  return typeof code === 'string' ? code : name;
}

function reportStop({ log }: Run, { id, instance_id }: RunningErasure, reason: string): void {
  log?.error({ request: id, instance_id, reason }, 'an erasure was stopped');
}

export const erasuresSchedule = { name: 'rights_erasures', every_ms: 10_000 } as const;

export function erasuresJob(log: Log): Job {
  return {
    ...erasuresSchedule,
    destructive: true,
    budget_ms: 2 * erasureLimits.run_ms,
    async run(context) {
      const { done, left } = await runErasures(context, { log });
      return `${done} erasures done, ${left} under way`;
    },
  };
}
