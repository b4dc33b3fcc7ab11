import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import type { Tenant } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { WebhookSink } from '../../test/support/webhook-sink.ts';
import type { Webhook } from './webhook-schemas.ts';
import {
  acceptMail,
  addEvents,
  createEndpoint,
  eventTimeoutMs,
  startWebhookBed,
  type WebhookBed,
} from './webhook-bed.fixture.ts';

const minute = 60_000;
const hour = 60 * minute;
const clock = createMovableClock(new Date());
let bed: WebhookBed;
let tenant: Tenant;
let msgId: string;
before(async () => {
  bed = await startWebhookBed({ roles: 'api,webhooks', clock });
  tenant = await bed.service.tenant();
  msgId = await acceptMail(tenant);
});
after(async () => await bed.stop());

interface Row {
  state: string;
  attempts: number;
  due_at: Date | null;
}

const read = async (id: number): Promise<Webhook> => (await tenant.api.get(`/v1/webhooks/${id}`)).json;
const change = async (id: number, changes: object): Promise<Webhook> =>
  (await tenant.api.patch(`/v1/webhooks/${id}`, changes)).json;
const happen = async (number = 1): Promise<unknown> =>
  await addEvents(
    bed.service.db,
    msgId,
    Array.from({ length: number }, () => ({ at: clock.now() })),
  );
const deliveries = async (id: number): Promise<Row[]> =>
  await bed.service.db.query<Row & Record<string, unknown>>(
    'select state, attempts, due_at from webhook_deliveries where webhook_id = $1 order by id',
    [id],
  );
/** Deliveries with an outcome written: `attempts` counts those under way too. */
const becomes = async (id: number, wanted: (webhook: Webhook) => boolean): Promise<Webhook> =>
  await waitFor(
    async () => {
      const webhook = await read(id);
      return wanted(webhook) && webhook;
    },
    { timeout_ms: eventTimeoutMs, what: 'the webhook to be as expected' },
  );
/** Nothing is under way, and while the clock stands still and the endpoint rests nothing more will be. */
const quiet = async (id: number): Promise<void> => {
  const leased = 'select 1 from webhook_deliveries where webhook_id = $1 and lease is not null limit 1';
  await waitFor(async () => (await bed.service.db.query(leased, [id])).length === 0, {
    timeout_ms: eventTimeoutMs,
    what: 'attempts under way',
  });
};
const move = async (ms: number): Promise<void> => {
  clock.advance(ms);
  await bed.service.db.query(`select pg_notify('chasqui_webhooks', '')`);
};
/** A second webhook that answers: what it has received, the first would have been tried with by now too. */
async function probe(sink: WebhookSink): Promise<void> {
  const seen = sink.requests.length;
  const { id } = await createEndpoint(tenant, sink.url);
  await happen();
  await sink.waitForRequests(seen + 1);
  await tenant.api.delete(`/v1/webhooks/${id}`);
}

test('a failed delivery is tried again as the schedule says, under the same id with the same bytes', async (t) => {
  const sink = await bed.sink(t, { respond: { status: 500 }, clock });
  const { id } = await createEndpoint(tenant, sink.url);
  await happen();
  const steps = [
    5_000,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ];
  for (const [index, step] of steps.entries()) {
    await sink.waitForRequests(index + 1);
    const [row] = await waitFor(
      async () => {
        const rows = await deliveries(id);
        return rows[0]?.due_at !== undefined && (rows[0].due_at ?? 0) > clock.now() && rows;
      },
      { timeout_ms: eventTimeoutMs, what: `outcome ${index + 1}` },
    );
    assert.ok(row?.due_at);
    const wait = row.due_at.getTime() - clock.now().getTime();
    assert.ok(wait >= step * 0.9 && wait <= step * 1.1, `${wait} ms after attempt ${index + 1}`);
    assert.equal((await read(id)).consecutive_failures, index + 1);
    await move(wait - 1);
    await move(1);
  }
  await sink.waitForRequests(10);
  await waitFor(async () => (await deliveries(id))[0]?.state === 'failed', {
    timeout_ms: eventTimeoutMs,
    what: 'the end of the attempts',
  });
  await move(48 * hour);
  assert.equal(new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.equal(new Set(sink.requests.map(({ body }) => body.toString())).size, 1);
  assert.equal(new Set(sink.requests.map(({ headers }) => headers['webhook-signature'])).size, 10);
  assert.equal(sink.requests.length, 10);
  await tenant.api.delete(`/v1/webhooks/${id}`);
});

test('an endpoint that is busy is not asked again before it wants to be, and after a day at most', async (t) => {
  for (const { status, retry_after, wait } of [
    { status: 429, retry_after: '600', wait: 10 * minute },
    { status: 503, retry_after: new Date(clock.now().getTime() + hour).toUTCString(), wait: hour },
    { status: 503, retry_after: '31536000', wait: 24 * hour },
    { status: 503, retry_after: '0', wait: 5_000 },
    { status: 500, retry_after: '600', wait: 5_000 },
  ]) {
    const sink = await bed.sink(t, { respond: { status, headers: { 'retry-after': retry_after } } });
    const { id } = await createEndpoint(tenant, sink.url);
    await happen();
    await becomes(id, ({ consecutive_failures }) => consecutive_failures === 1);
    const [row] = await deliveries(id);
    assert.ok(row?.due_at);
    const waits = row.due_at.getTime() - clock.now().getTime();
    assert.ok(Math.abs(waits - wait) <= 1_000, `${retry_after}: ${waits} ms`);
    await tenant.api.delete(`/v1/webhooks/${id}`);
  }
});

test('a paused webhook gets nothing, and events of the pause are never delivered', async (t) => {
  const sink = await bed.sink(t);
  const witness = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url);
  assert.equal((await change(id, { is_active: false })).is_active, false);
  clock.advance(1000);
  await happen();
  await probe(witness);
  assert.equal(sink.requests.length, 0);
  clock.advance(1000);
  await change(id, { is_active: true });
  await happen();
  await sink.waitForRequests(1);
  await probe(witness);
  // The event after the pause, and the probe's own.
  await sink.waitForRequests(2);
  assert.equal(sink.requests.length, 2);
  await tenant.api.delete(`/v1/webhooks/${id}`);
});

test('a retry that falls due in a pause is discarded, one that falls due after it is delivered', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url);
  sink.respond({ status: 500 });
  await happen(2);
  await sink.waitForRequests(2);
  await becomes(id, ({ consecutive_failures }) => consecutive_failures === 2);
  // Both are due in five seconds; one is moved behind the pause.
  const late = new Date(clock.now().getTime() + hour);
  await bed.service.db.query(
    `update webhook_deliveries set due_at = $2 where id = (select max(id) from webhook_deliveries where webhook_id = $1)`,
    [id, late],
  );
  await change(id, { is_active: false });
  sink.respond({ status: 200 });
  await move(minute);
  await change(id, { is_active: true });
  assert.deepEqual(
    (await deliveries(id)).map(({ state }) => state),
    ['discarded', 'pending'],
  );
  await move(hour);
  await sink.waitForRequests(3);
  await waitFor(async () => (await deliveries(id))[1]?.state === 'delivered', {
    timeout_ms: eventTimeoutMs,
    what: 'the delivery',
  });
  assert.equal(sink.requests.length, 3);
  await tenant.api.delete(`/v1/webhooks/${id}`);
});

test('retries that fall due during a pause are discarded without a resume', async (t) => {
  const sink = await bed.sink(t, { respond: { status: 500 } });
  const { id } = await createEndpoint(tenant, sink.url);
  await happen();
  await becomes(id, ({ consecutive_failures }) => consecutive_failures === 1);
  await change(id, { is_active: false });
  await move(minute);
  await waitFor(async () => (await deliveries(id))[0]?.state === 'discarded', {
    timeout_ms: eventTimeoutMs,
    what: 'the sweep',
  });
  assert.equal(sink.requests.length, 1);
  await tenant.api.delete(`/v1/webhooks/${id}`);
});

test('resuming clears the failures and tries the next delivery at once', async (t) => {
  const sink = await bed.sink(t, { respond: { status: 500 } });
  const { id } = await createEndpoint(tenant, sink.url);
  // Enough failures for the backoff of the endpoint.
  for (let failures = 1; failures <= 6; failures += 1) {
    await happen();
    await move(2_000);
    await becomes(id, ({ consecutive_failures }) => consecutive_failures >= failures);
  }
  await change(id, { is_active: false });
  sink.respond({ status: 200 });
  const seen = sink.requests.length;
  const resumed = await change(id, { is_active: true });
  assert.deepEqual(
    [resumed.is_active, resumed.consecutive_failures, resumed.auto_paused_at],
    [true, 0, null],
  );
  await happen();
  await sink.waitForRequests(seen + 1);
  const webhook = await becomes(id, ({ last_success_at }) => last_success_at !== null);
  assert.equal(webhook.consecutive_failures, 0);
  assert.equal(webhook.last_status_code, 200);
  await tenant.api.delete(`/v1/webhooks/${id}`);
});

test('twenty failures over a day without a success pause a webhook, fewer or faster ones do not', async (t) => {
  const sink = await bed.sink(t, { respond: { status: 503 } });
  const { id } = await createEndpoint(tenant, sink.url);
  const fail = async (number: number): Promise<Webhook> => {
    const { consecutive_failures: had } = await read(id);
    await happen(number);
    return await waitFor(
      async () => {
        await move(31_000);
        const webhook = await read(id);
        return webhook.consecutive_failures >= had + number && webhook;
      },
      { timeout_ms: eventTimeoutMs, what: `${number} failures` },
    );
  };
  const fast = await fail(25);
  assert.equal(fast.is_active, true);
  assert.equal(fast.auto_paused_at, null);
  await quiet(id);
  sink.respond({ status: 200 });
  await move(25 * hour);
  await happen();
  await becomes(id, ({ consecutive_failures }) => consecutive_failures === 0);
  // Whatever is left over from the first failures is over too.
  await waitFor(async () => (await deliveries(id)).every(({ state }) => state === 'delivered'), {
    timeout_ms: eventTimeoutMs,
    what: 'the backlog',
  });
  sink.respond({ status: 503 });
  const slow = await fail(19);
  assert.equal(slow.is_active, true);
  await quiet(id);
  await bed.service.db.query(
    `update webhook_deliveries set state = 'failed', due_at = null where webhook_id = $1`,
    [id],
  );
  clock.advance(25 * hour);
  await happen();
  const paused = await becomes(id, ({ is_active }) => !is_active);
  assert.ok(paused.consecutive_failures >= 20, String(paused.consecutive_failures));
  assert.equal(paused.auto_paused_at, clock.now().toISOString());
  assert.equal(paused.updated_at, paused.created_at, 'nobody changed its configuration');
  const moved = await change(id, { url: `${sink.url}/new` });
  assert.deepEqual([moved.consecutive_failures, moved.is_active], [0, false]);
  await tenant.api.delete(`/v1/webhooks/${id}`);
});

test('an endpoint that answers 410 is paused at once', async (t) => {
  const sink = await bed.sink(t, { respond: { status: 410 } });
  const { id } = await createEndpoint(tenant, sink.url);
  await happen();
  const paused = await becomes(id, ({ is_active }) => !is_active);
  assert.deepEqual([paused.consecutive_failures, paused.last_status_code], [1, 410]);
  assert.notEqual(paused.auto_paused_at, null);
  await tenant.api.delete(`/v1/webhooks/${id}`);
});

test('retries go to the current URL, and attempts at the old one are not counted', async (t) => {
  const release = Promise.withResolvers<void>();
  const former = await bed.sink(t, {
    respond: async () => {
      await release.promise;
      return { status: 410 };
    },
  });
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, former.url);
  await happen();
  await former.waitForRequests(1);
  clock.advance(1);
  await change(id, { url: sink.url });
  release.resolve();
  await quiet(id);
  await move(minute);
  await sink.waitForRequests(1);
  const webhook = await becomes(id, ({ last_success_at }) => last_success_at !== null);
  assert.deepEqual([webhook.is_active, webhook.last_failure_at, former.requests.length], [true, null, 1]);
  assert.deepEqual(sink.requests[0]?.body, former.requests[0]?.body);
  await tenant.api.delete(`/v1/webhooks/${id}`);
});

test('no answer is a failure without a status', async (t) => {
  const sink = await bed.sink(t, { respond: 'drop' });
  const { id } = await createEndpoint(tenant, sink.url);
  await happen();
  const webhook = await becomes(id, ({ consecutive_failures }) => consecutive_failures === 1);
  assert.deepEqual([webhook.last_status_code, webhook.last_success_at], [null, null]);
  assert.equal(webhook.last_failure_at, clock.now().toISOString());
  await tenant.api.delete(`/v1/webhooks/${id}`);
});
