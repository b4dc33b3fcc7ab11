import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acceptMail,
  addEventToEach,
  createEndpoint,
  startWebhookBed,
} from '../../src/webhooks/webhook-bed.fixture.ts';
import type { SinkStep } from '../support/webhook-sink.ts';

const healthy = 20;
const rounds = 30;
const roundMs = 100;
/**
 * A silent endpoint holds an attempt for ten seconds. `bench/webhooks` holds the healthy ones to one second; here other
 * tests share the machine and the database server, whose transactions hold events back.
 */
const longestWaitMs = 6_000;

test('an endpoint that never answers and one that fails cost twenty others nothing', async (t) => {
  const bed = await startWebhookBed({ roles: 'api,webhooks' });
  t.after(async () => await bed.stop());
  const open = async (respond: SinkStep) => {
    const tenant = await bed.service.tenant();
    const sink = await bed.sink(t, { respond });
    const { id } = await createEndpoint(tenant, sink.url);
    return { tenant, sink, id, msgId: await acceptMail(tenant) };
  };
  const good = await Promise.all(Array.from({ length: healthy }, async () => await open({ status: 200 })));
  const silent = await open('hang');
  const failing = await open({ status: 500 });

  const msgIds = [...good, silent, failing].map(({ msgId }) => msgId);
  for (let round = 0; round < rounds; round += 1) {
    await addEventToEach(bed.service.db, msgIds);
    await sleep(roundMs);
  }
  for (const { sink } of good) await sink.waitForRequests(rounds, 20_000);

  // So that no test waits for it any longer.
  await silent.sink.stop();

  const waits = good
    .flatMap(({ sink }) => sink.requests)
    .map(({ at, body }) => {
      const { timestamp } = JSON.parse(body.toString()) as { timestamp: string };
      return at.getTime() - new Date(timestamp).getTime();
    })
    .toSorted((a, b) => a - b);
  assert.equal(waits.length, healthy * rounds, 'each event once');
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? Infinity;
  assert.ok(p99 < longestWaitMs, `p99 from event to delivery ${p99} ms`);
  assert.ok(silent.sink.requests.length < 10, 'the silent one is asked carefully');
  assert.ok(failing.sink.requests.length < 20, 'the failing one is left alone in between');
  t.diagnostic(`${waits.length} deliveries, p50 ${waits[waits.length >> 1]} ms, p99 ${p99} ms`);
});
