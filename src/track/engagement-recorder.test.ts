import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { ConnectionLost } from '../base/db/connection-loss.ts';
import type { Statement, Transaction } from '../base/db/database.ts';
import { createLog } from '../base/log.ts';
import type { Engagement } from '../events/record-engagement.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { EngagementRecorder } from './engagement-recorder.ts';

const mail_id = '019a84f2-7c00-7000-8000-2f6d1c3b5a7a';
const visit = (more: Partial<Engagement> = {}): Omit<Engagement, 'event_id'> => ({
  mail_id,
  at: new Date(),
  event: 'opened',
  url: null,
  user_agent: 'Mail',
  is_machine: false,
  is_scripted: false,
  ...more,
});

interface Bed {
  recorder: EngagementRecorder;
  /** Identifiers of each batch that was written. */
  batches: string[][];
  logged: string[];
  lost: () => Promise<number>;
}

/** A recorder on a store that fails as the test says. */
function recorderOn(
  failure: (ids: string[]) => Error | undefined,
  options: { hold_ms?: number; max_bytes?: number } = {},
): Bed {
  const batches: string[][] = [];
  const logged: string[] = [];
  const registry = new Registry();
  const tx: Transaction = {
    write: async () => undefined,
    query: async (sql, values = []) => {
      if ((sql as Statement).name !== 'events.record_engagement') return [];
      const ids = [...String(values[0]).matchAll(/[\w-]{36}/g)].map(([id]) => id);
      const error = failure(ids);
      if (error) throw error;
      batches.push(ids);
      return [];
    },
  };
  const db = { transaction: async <T>(work: (tx: Transaction) => Promise<T>) => await work(tx) };
  const log = createLog('warn', { write: (line) => void logged.push(line) });
  const recorder = new EngagementRecorder({ db, registry, log, hold_ms: 5, ...options });
  const lost = async () => {
    const metric = await registry.getSingleMetric('chasqui_engagements_lost_total')?.get();
    return metric?.values[0]?.value ?? 0;
  };
  return { recorder, batches, logged, lost };
}

test('visits that come together are written together, once', async () => {
  const { recorder, batches } = recorderOn(() => undefined);
  for (let count = 0; count < 1_200; count += 1) recorder.record(visit());
  await recorder.stop();
  assert.deepEqual(
    batches.map((ids) => ids.length),
    [1_000, 200],
  );
  assert.equal(new Set(batches.flat()).size, 1_200);
});

test('a visit is written by itself after a moment, also while others keep coming', async () => {
  const { recorder, batches } = recorderOn(() => undefined);
  recorder.record(visit());
  await waitFor(() => batches.flat().length === 1, { what: 'the first' });
  recorder.record(visit());
  await waitFor(() => batches.flat().length === 2, { what: 'the second' });
  await recorder.stop();
});

test('visits of the sandbox are written at once, before waiting ones', async () => {
  const { recorder, batches } = recorderOn(() => undefined, { hold_ms: 60_000 });
  recorder.record(visit());
  recorder.record(visit({ is_scripted: true }));
  await waitFor(() => batches.length === 1, { what: 'the scripted one' });
  assert.equal(batches[0]?.length, 1);
  await recorder.stop();
  assert.equal(batches.flat().length, 2);
});

test('while the database is away visits wait, and none is lost or doubled', async () => {
  let isAway = true;
  let tries = 0;
  const { recorder, batches, lost } = recorderOn(() => {
    tries += 1;
    return isAway ? new ConnectionLost('gone') : undefined;
  });
  for (let count = 0; count < 10; count += 1) recorder.record(visit());
  await waitFor(() => tries >= 2, { what: 'a second try' });
  isAway = false;
  recorder.record(visit());
  await recorder.stop();
  assert.equal(new Set(batches.flat()).size, 11);
  assert.equal(batches.flat().length, 11);
  assert.equal(await lost(), 0);
});

test('beyond what may wait, visits are lost with a line in the log and a count', async () => {
  const { recorder, batches, logged, lost } = recorderOn(() => undefined, { max_bytes: 3_100 });
  for (let count = 0; count < 15; count += 1) recorder.record(visit());
  await recorder.stop();
  assert.equal(batches.flat().length, 10);
  assert.equal(await lost(), 5);
  assert.equal(logged.filter((line) => line.includes('were lost')).length, 1);
  recorder.record(visit());
  await recorder.stop();
  assert.equal(batches.flat().length, 11, 'there is room again');
});

test('a visit that the database refuses does not affect the others', async () => {
  const refused = Object.assign(new Error('invalid input'), { code: '22P02' });
  let poisoned = '';
  const { recorder, batches, lost } = recorderOn((ids) => {
    poisoned ||= ids[3] ?? '';
    return ids.includes(poisoned) ? refused : undefined;
  });
  for (let count = 0; count < 20; count += 1) recorder.record(visit());
  await recorder.stop();
  assert.equal(batches.flat().length, 19);
  assert.equal(await lost(), 1);
});

test('a stop that is cut short does not wait for the database', async () => {
  const { recorder, lost } = recorderOn(() => new ConnectionLost('gone'));
  recorder.record(visit());
  const stopped = recorder.stop();
  recorder.abort();
  await stopped;
  assert.equal(await lost(), 1);
});
