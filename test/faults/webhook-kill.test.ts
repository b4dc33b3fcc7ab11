import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptMail, addEvents, createEndpoint } from '../../src/webhooks/webhook-bed.fixture.ts';
import { makeBed, type ServiceProcess } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookSink } from '../support/webhook-sink.ts';

const endpoints = 4;
const batches = 40;
const perBatch = 10;
const kills = 4;

test('nodes killed under load lose no event of any webhook', async (t) => {
  const database = await createTestDatabase();
  t.after(async () => await database.drop());
  const bed = makeBed(t, {
    DATABASE_URL: database.url,
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    CHASQUI_DEMO: 'false',
    CHASQUI_LOG_LEVEL: 'error',
    CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true',
    CHASQUI_DELIVERY_LEASE_SECONDS: '3',
  });
  const service = await startTestService({
    database,
    roles: 'api',
    env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' },
  });
  t.after(async () => await service.stop());
  const tenant = await service.tenant();
  const msgId = await acceptMail(tenant);
  const sinks = await Promise.all(
    Array.from({ length: endpoints }, async () => {
      const sink = await startWebhookSink({ respond: () => ({ delay_ms: 5 + Math.random() * 40 }) });
      t.after(sink.stop);
      await createEndpoint(tenant, sink.url);
      return sink;
    }),
  );
  const startNode = async (): Promise<ServiceProcess> => await bed.serve(['--roles', 'webhooks']);
  const nodes = await Promise.all([startNode(), startNode()]);

  const events: string[] = [];
  const received = (): number => sinks.reduce((sum, { requests }) => sum + requests.length, 0);
  const load = (async () => {
    for (let batch = 0; batch < batches; batch += 1) {
      events.push(
        ...(await addEvents(
          service.db,
          msgId,
          Array.from({ length: perBatch }, () => ({})),
        )),
      );
      await sleep(100);
    }
  })();
  for (let kill = 0; kill < kills; kill += 1) {
    const enough = received() + 40;
    await waitFor(() => received() >= enough || events.length === batches * perBatch, {
      timeout_ms: 20_000,
      what: 'deliveries to be under way',
    });
    await sleep(Math.random() * 50);
    const [victim] = nodes.splice(Math.floor(Math.random() * nodes.length), 1);
    victim?.child.kill('SIGKILL');
    if (victim) await once(victim.child, 'exit').catch(() => undefined);
    nodes.push(await startNode());
  }
  await load;

  const states = async () =>
    await service.db.query<{ state: string; count: number }>(
      'select state, count(*) from webhook_deliveries group by state',
    );
  await waitFor(
    async () => {
      const [only, ...others] = await states();
      return others.length === 0 && only?.state === 'delivered';
    },
    { timeout_ms: 40_000, interval_ms: 100, what: 'all deliveries' },
  );
  assert.deepEqual(
    await states(),
    [{ state: 'delivered', count: events.length * endpoints }],
    'each event once',
  );
  const expected = events.map((id) => `msg_${id}`).toSorted();
  for (const { requests } of sinks) {
    const ids = new Set(requests.map(({ headers }) => String(headers['webhook-id'])));
    assert.deepEqual([...ids].toSorted(), expected);
  }
  const wanted = events.length * endpoints;
  t.diagnostic(`${wanted} deliveries, ${kills} nodes killed, ${received() - wanted} repeated`);
});
