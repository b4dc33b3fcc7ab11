import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../db/database.ts';
import { batchRows } from './in-batches.ts';
import { inTurns } from './in-turns.ts';
import type { JobContext } from './job.ts';

/** A run that is cut after so many batches. */
function cutAfter(batches: number, served: number[], position?: string) {
  const kept: { position?: string } = {};
  const context: JobContext = {
    // Nothing here asks it.
    db: undefined as unknown as Database,
    now: new Date(),
    isStopping: () => served.length >= batches,
    position,
    resumeAt: (given) => void (kept.position = given),
  };
  return { context, kept };
}

test('an instance with much work has a slice in turn, and the next run goes on with the one after it', async () => {
  const left = new Map([
    [1, 3 * batchRows],
    [2, 10],
    [3, 10],
  ]);
  const served: number[] = [];
  async function work(id: number): Promise<number> {
    served.push(id);
    const rows = Math.min(batchRows, left.get(id) ?? 0);
    left.set(id, (left.get(id) ?? 0) - rows);
    return await Promise.resolve(rows);
  }
  const instances = [...left.keys()];
  const first = cutAfter(2, served);
  assert.equal(await inTurns(first.context, { instances, slice_ms: -1 }, work), batchRows + 10);
  assert.deepEqual([served, first.kept.position], [[1, 2], '2']);
  const second = cutAfter(Infinity, served.splice(0) && served, first.kept.position);
  assert.equal(await inTurns(second.context, { instances, slice_ms: -1 }, work), 2 * batchRows + 10);
  assert.deepEqual(served, [3, 1, 2, 1, 1]);
  assert.equal(second.kept.position, undefined);
});

test('an instance that fails does not stop the others, and its error is thrown at the end', async () => {
  const served: number[] = [];
  const { context } = cutAfter(Infinity, []);
  await assert.rejects(
    inTurns(context, { instances: [1, 2, 3] }, async (id) => {
      served.push(id);
      if (id === 2) throw new Error('a damaged row');
      return await Promise.resolve(1);
    }),
    /a damaged row/,
  );
  assert.deepEqual(served, [1, 2, 3]);
});
