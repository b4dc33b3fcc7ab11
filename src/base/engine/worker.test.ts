import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createLog } from '../log.ts';
import { createWorker, type WorkerOptions } from './worker.ts';

interface Item {
  id: number;
}
const items = (count: number): Item[] => Array.from({ length: count }, (_, id) => ({ id }));
const storeLost = (): Error => Object.assign(new Error('the server is gone'), { code: '08006' });

/** A worker on a list of items; what is recorded is kept, unless `refuse` has an error for it. */
function bed(todo: Item[], more: Partial<WorkerOptions<Item, number, boolean>> = {}) {
  const lines: string[] = [];
  const recorded: number[] = [];
  const state = { refuse: (_ids: number[]): Error | undefined => undefined };
  const worker = createWorker<Item, number, boolean>({
    name: 'items',
    log: createLog('info', { write: (line) => void lines.push(line) }),
    claim: async () => ({ items: todo.splice(0), wait_ms: 60_000 }),
    attempt: async ({ id }) => id,
    record: async (ids) => {
      const error = state.refuse(ids);
      if (error) throw error;
      recorded.push(...ids);
      return ids.map(() => true);
    },
    max_recorded: 100,
    lease_ms: 60_000,
    ...more,
  });
  return { worker, lines, recorded, state };
}

test('items are claimed, attempted and recorded, and after() runs once recorded', async () => {
  const followed: number[] = [];
  const { worker, recorded } = bed(items(5), {
    after: async ({ id }, outcome, isRecorded) => {
      assert.ok(isRecorded && recorded.includes(id) && outcome === id);
      followed.push(id);
    },
  });
  worker.start();
  await waitFor(() => followed.length === 5, { what: 'all five' });
  await worker.stop();
  assert.equal(worker.unfinished(), 0);
});

test('an outcome that cannot be stored does not fail the others of its batch', async () => {
  const { worker, recorded, state, lines } = bed(items(40));
  state.refuse = (ids) => (ids.includes(13) ? new Error('value out of range') : undefined);
  worker.start();
  await waitFor(() => recorded.length === 39, { what: 'the others' });
  await worker.stop();
  assert.ok(!recorded.includes(13));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"item":13.*could not record an outcome of items/);
});

test('recording is retried during an outage, which is one line in the log', async () => {
  const { worker, recorded, state, lines } = bed(items(40));
  let isAway = true;
  state.refuse = () => (isAway ? storeLost() : undefined);
  worker.start();
  await waitFor(() => lines.length > 0, { what: 'the outage' });
  assert.equal(worker.unfinished(), 40);
  isAway = false;
  await waitFor(() => recorded.length === 40, { what: 'the records' });
  await worker.stop();
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? '', /recording outcomes of items failed and is retried/);
  assert.match(lines[1] ?? '', /recording outcomes of items works again/);
});

test('stopping waits for attempts and their records; abort() ends the retries', async () => {
  const gate = Promise.withResolvers<void>();
  const { worker, recorded, state } = bed(items(1), {
    attempt: async ({ id }) => {
      await gate.promise;
      return id;
    },
  });
  worker.start();
  await waitFor(() => worker.unfinished() === 1, { what: 'the attempt' });
  let isStopped = false;
  const stopping = worker.stop().then(() => (isStopped = true));
  await turn();
  assert.equal(isStopped, false);
  gate.resolve();
  await stopping;
  assert.deepEqual(recorded, [0]);

  state.refuse = storeLost;
  worker.run({ id: 7 });
  const cutting = worker.stop();
  worker.abort();
  await cutting;
  assert.deepEqual(recorded, [0]);
});

test('an attempt without an outcome is not recorded, and one that throws is logged', async () => {
  const { worker, recorded, lines } = bed(items(3), {
    attempt: async ({ id }) => {
      if (id === 0) return undefined;
      if (id === 1) throw new Error('a bug');
      return id;
    },
  });
  worker.start();
  await waitFor(() => recorded.length === 1 && worker.unfinished() === 0, { what: 'the end' });
  await worker.stop();
  assert.deepEqual(recorded, [2]);
  assert.equal(lines.length, 1);
});

test('an outcome is given up when its lease is over: another node has the item', async (t) => {
  const { worker, lines, state } = bed(items(1), { lease_ms: 1 });
  t.after(async () => {
    worker.abort();
    await worker.stop();
  });
  state.refuse = storeLost;
  worker.start();
  await waitFor(() => lines.some((line) => line.includes('could not record')), { what: 'the end' });
  await waitFor(() => worker.unfinished() === 0, { what: 'the item to be finished' });
});
