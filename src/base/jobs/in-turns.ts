import { batchRows } from './in-batches.ts';
import type { JobContext } from './job.ts';

interface Turns {
  /** In ascending order. */
  instances: number[];
  /** Of one instance before the next one is served. */
  slice_ms?: number;
}

/**
 * Serves the instances in turn, so that much work of one delays no other. `work` processes one batch of an instance and returns the
 * number of its rows. An instance that fails ends its turn only; the first error is thrown at the end. The next run goes on with the
 * instance after the last one that was served.
 */
export async function inTurns(
  context: JobContext,
  { instances, slice_ms = 2_000 }: Turns,
  work: (instanceId: number) => Promise<number>,
): Promise<number> {
  let last = Number(context.position ?? 0);
  const waiting = [...instances.filter((id) => id > last), ...instances.filter((id) => id <= last)];
  const errors: unknown[] = [];
  let sum = 0;
  while (waiting.length > 0) {
    if (context.isStopping()) {
      context.resumeAt?.(String(last));
      break;
    }
    last = waiting.shift() as number;
    const id = last;
    try {
      const slice = await workSlice(context, slice_ms, async () => await work(id));
      sum += slice.rows;
      if (slice.is_left) waiting.push(id);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return sum;
}

async function workSlice(
  context: JobContext,
  slice_ms: number,
  work: () => Promise<number>,
): Promise<{ rows: number; is_left: boolean }> {
  const began = performance.now();
  let rows = 0;
  for (;;) {
    const done = await work();
    rows += done;
    if (done < batchRows) return { rows, is_left: false };
    if (performance.now() - began > slice_ms || context.isStopping()) return { rows, is_left: true };
  }
}
