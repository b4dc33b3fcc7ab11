import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database } from '../base/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { createClaim, type ClaimRequest } from './claim-deliveries.ts';
import { recordAttempts } from './record-attempts.ts';
import { releaseDeliveryLeases } from './release-leases.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 4,
    pipelines: 2,
    on_error: () => undefined,
  });
  await db.query(`insert into instances (slug, name) values ('webhooks', 'Webhooks')`);
});
after(async () => {
  await db.end();
  await database.drop();
});

const now = new Date();

/** A webhook with so many deliveries, due `due_in_ms` from now. */
async function webhookWith(number: number, { due_in_ms = -1000, is_active = true } = {}): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into webhooks (instance_id, name, url, is_active, active_since, paused_at, secret, counted_since, created_at,
       updated_at)
     select id, 'w', 'https://example.com', $2, $1, case when not $2 then $1::timestamptz end, '', $1, $1, $1
     from instances returning id`,
    [now, is_active],
  );
  const id = row?.id ?? 0;
  await db.query(
    `insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
     select $1, 1, gen_random_uuid(), gen_random_uuid(), 'mail.sent', $2, $2, $3::timestamptz + n * interval '1 us'
     from generate_series(1, $4) as n`,
    [id, now, new Date(now.getTime() + due_in_ms), number],
  );
  return id;
}

const request = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  lease: randomUUID(),
  count: 250,
  per_webhook: 2,
  limits: new Map(),
  lease_seconds: 30,
  now,
  ...more,
});
const clear = async () => await db.query('truncate webhook_deliveries');
const perWebhook = (deliveries: { webhook_id: number }[]): Record<string, number> =>
  Object.fromEntries(
    Map.groupBy(deliveries, ({ webhook_id }) => webhook_id)
      .entries()
      .map(([id, group]) => [id, group.length]),
  );

test('each webhook gets its share, however many deliveries another has waiting', async () => {
  await clear();
  const crowded = await webhookWith(20_000);
  const quiet = await webhookWith(1);
  const trusted = await webhookWith(30);
  const full = await webhookWith(5);
  const limits = new Map([
    [trusted, 10],
    [full, 0],
  ]);
  const { deliveries, is_complete } = await createClaim(db)(request({ limits }));
  assert.deepEqual(perWebhook(deliveries), { [crowded]: 2, [quiet]: 1, [trusted]: 10 });
  assert.equal(is_complete, true);
});

test('a claim continues after the webhook where the one before reached its limit', async () => {
  await clear();
  const ids = [await webhookWith(5), await webhookWith(5), await webhookWith(5)];
  const claim = createClaim(db);
  const seen: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { deliveries } = await claim(request({ count: 2 }));
    seen.push(...deliveries.map(({ webhook_id }) => webhook_id));
  }
  assert.deepEqual(seen, [ids[0], ids[0], ids[1], ids[1], ids[2], ids[2]]);
});

test('deliveries that are not due, paused or orphaned are not claimed', async () => {
  await clear();
  await webhookWith(3, { due_in_ms: 1000 });
  await webhookWith(3, { is_active: false });
  const deleted = await webhookWith(3);
  await db.query('delete from webhooks where id = $1', [deleted]);
  assert.deepEqual((await createClaim(db)(request())).deliveries, []);
});

test('no delivery is leased to two nodes, until the first lease expires', async () => {
  await clear();
  await webhookWith(40);
  const claims = await Promise.all(
    Array.from({ length: 8 }, async () => (await createClaim(db)(request({ per_webhook: 5 }))).deliveries),
  );
  const ids = claims.flat().map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  let more = (await createClaim(db)(request({ per_webhook: 40 }))).deliveries;
  assert.equal(ids.length + more.length, 40);
  assert.ok(more.every(({ attempt }) => attempt === 1));
  assert.deepEqual((await createClaim(db)(request())).deliveries, []);
  const later = new Date(now.getTime() + 31_000);
  more = (await createClaim(db)(request({ now: later, per_webhook: 40 }))).deliveries;
  assert.equal(more.length, 40);
  assert.ok(more.every(({ attempt }) => attempt === 2));
});

test('hundreds of webhooks are scanned in several queries, each of them once', async () => {
  await clear();
  await db.query(
    `insert into webhooks (instance_id, name, url, is_active, active_since, secret, counted_since, created_at, updated_at)
     select i.id, 'w', 'https://example.com', true, now(), '', now(), now(), now()
     from instances i, generate_series(1, 1200)`,
  );
  await db.query(
    `insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
     select id, 1, gen_random_uuid(), gen_random_uuid(), 'mail.sent', $1, $1, $1 from webhooks where is_active`,
    [now],
  );
  const [row] = await db.query<{ count: number }>('select count(*) from webhook_deliveries');
  const claim = createClaim(db);
  const ids: number[] = [];
  const ends: boolean[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const { deliveries, is_complete } = await claim(request({ count: 1000 }));
    ids.push(...deliveries.map(({ id }) => id));
    ends.push(is_complete);
  }
  // A round that finds nothing ends too: the caller can wait.
  assert.deepEqual(ends, [false, false, true, false, false, true]);
  assert.equal(new Set(ids).size, row?.count);
  assert.equal(ids.length, row?.count);
});

test('deliveries leased to a dead node, or by a claim without an answer, can be claimed at once', async () => {
  await clear();
  await webhookWith(3);
  const [dead, unanswered, held] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].map(
    (node) => node + randomUUID().slice(node.length),
  );
  const claimOne = async (lease = '') =>
    (await createClaim(db)(request({ lease, count: 1 }))).deliveries.map(({ attempt }) => attempt);
  for (const lease of [dead, unanswered, held]) assert.deepEqual(await claimOne(lease), [1]);
  const lost = { nodes: ['aaaaaaaa'], leases: [unanswered ?? ''], ages_ms: [] };
  assert.equal(await releaseDeliveryLeases(db, lost), 2);
  const { deliveries } = await createClaim(db)(request());
  assert.deepEqual(
    new Set(deliveries.map(({ attempt }) => attempt)),
    new Set([1, 2]),
    'only the attempt of the dead node counts',
  );
});

test('the outcome of a delivery that another node took meanwhile changes nothing', async () => {
  await clear();
  const webhook_id = await webhookWith(1);
  const [first] = (await createClaim(db)(request())).deliveries;
  assert.ok(first);
  const lease = randomUUID();
  await db.query('update webhook_deliveries set lease = $1', [lease]);
  const standing = async (): Promise<unknown[]> =>
    await db.query(
      `select d.state, d.lease, d.due_at, d.last_error, d.log, w.consecutive_failures
       from webhook_deliveries d join webhooks w on w.id = d.webhook_id`,
    );
  const beforeRecord = await standing();
  const at = new Date(now.getTime() + 1_000);
  const logged = {
    at,
    attempt: 1,
    url: 'https://example.com',
    request_headers: {},
    status_code: 500,
    error: 'status_500',
    duration_ms: 1,
    response_headers: {},
    response_body: '',
    next_attempt_at: null,
  };
  const outcome = {
    id: first.id,
    webhook_id,
    started_at: at,
    finished_at: at,
    state: 'failed',
    due_at: null,
    status_code: 500,
    error: 'status_500',
    is_gone: false,
    logged,
  } as const;
  await recordAttempts(db, [{ ...outcome, lease: first.lease }], at);
  assert.deepEqual(await standing(), beforeRecord);
  await recordAttempts(db, [{ ...outcome, lease }], at);
  assert.notDeepEqual(await standing(), beforeRecord);
});
