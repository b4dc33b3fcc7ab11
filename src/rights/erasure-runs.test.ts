import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';
import { createLog } from '../base/log.ts';
import { checksOfContent } from '../main/checks.ts';
import {
  deliveredMails,
  lineAbout,
  mailUnderWay,
  person,
  rightsPath,
  smallSlices,
  startErasure,
} from './erasure-bed.fixture.ts';
import { erasureSteps } from './erasure-steps.ts';
import { lockRunning } from './erasure-state.ts';
import { erasureLimits, type ErasureLimits, runErasures } from './run-erasures.ts';
import { cancelErasure } from './stop-erasure.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());
/** What a test leaves would be done by the next one. */
afterEach(async () => {
  await service.db.query(`update rights_requests set started_at = null where status = 'open'`);
});

test('every step has a name of its own, by which an erasure knows where it stands', () => {
  const names = erasureSteps.map(({ name }) => name);
  assert.deepEqual([...new Set(names)], names);
});

const hourMs = 3_600_000;
const logged: string[] = [];
const log = createLog('warn', { write: (line) => void logged.push(line) });

interface RunOptions {
  limits?: Partial<ErasureLimits>;
  /** After now, so that what was put off is due. */
  later_ms?: number;
  isStopping?: () => boolean;
}

async function run({ limits, later_ms = 0, isStopping = () => false }: RunOptions = {}) {
  const now = new Date(Date.now() + later_ms);
  return await runErasures(
    { db: service.db, now, isStopping },
    { limits: { ...erasureLimits, ...limits }, log },
  );
}

/** On a node that stops after its first batch. */
async function runOneBatch(): Promise<void> {
  let asked = 0;
  await run({ limits: smallSlices, isStopping: () => (asked += 1) > 2 });
}

const requestOf = async ({ api }: Tenant, id: number) => (await api.get(`${rightsPath}/${id}`)).json;
const stepsOf = async (tenant: Tenant, id: number): Promise<string[]> =>
  (await requestOf(tenant, id)).receipts.map(({ step }: { step: string }) => step);
const mailsLeft = async ({ instance }: Tenant): Promise<number> =>
  (
    await service.db.query('select from mails where instance_id = $1 and recipient = $2', [
      instance.id,
      person,
    ])
  ).length;

test('an erasure ends after a batch when its node stops, and the next run goes on from there', async () => {
  const tenant = await service.tenant();
  await deliveredMails(service, tenant, 350);
  const id = await startErasure(tenant);
  const left: number[] = [];
  for (let runs = 0; (await requestOf(tenant, id)).status === 'open'; runs += 1) {
    assert.ok(runs < 60, `${runs} runs`);
    await runOneBatch();
    left.push(await mailsLeft(tenant));
  }
  assert.deepEqual([...new Set(left)], [350, 250, 150, 50, 0]);
  assert.deepEqual(await stepsOf(tenant, id), ['received', 'started', 'fulfilled']);
  const [line] = await service.db.query<{ details: object }>(
    `select details from audit_events where action = 'rights_request.fulfilled' and object_id = $1`,
    [String(id)],
  );
  assert.partialDeepStrictEqual(line?.details, { mails: 350, dropped: 1 });
});

test('an instance with many erasures keeps another one waiting for one batch at a time', async () => {
  const [many, one] = [await service.tenant(), await service.tenant()];
  for (let number = 0; number < 10; number += 1) await startErasure(many, `ana${number}@sandbox.test`);
  const id = await startErasure(one);
  await run({ limits: smallSlices });
  const [beforeIt] = await service.db.query<{ count: number }>(
    `select count(*) from rights_requests r join rights_requests mine on mine.id = $2
     where r.instance_id = $1 and r.closed_at <= mine.closed_at`,
    [many.instance.id, id],
  );
  assert.ok((beforeIt?.count ?? 10) <= 1, `${beforeIt?.count} of the other instance were before it`);
});

test('a large erasure gives way to that of another instance after its slice', async () => {
  const [large, small] = [await service.tenant(), await service.tenant()];
  await deliveredMails(service, large, 350);
  const first = await startErasure(large);
  const id = await startErasure(small);
  await run({ limits: { ...smallSlices, concurrency: 1 } });
  const [order] = await service.db.query<{ is_before: boolean }>(
    `select s.closed_at < l.closed_at as is_before from rights_requests l, rights_requests s where l.id = $1 and s.id = $2`,
    [first, id],
  );
  assert.deepEqual(order, { is_before: true });
});

test('an erasure that waits for a lock keeps that of another instance waiting for a few seconds at most', async () => {
  const [held, other] = [await service.tenant(), await service.tenant()];
  const line = await lineAbout(service, held);
  const ids = [await startErasure(held), await startErasure(other)];
  await service.db.transaction(async (tx) => {
    await tx.query('select from audit_events where id = $1 for update', [line]);
    await assert.rejects(run({ limits: { concurrency: 1 } }), { code: '55P03' });
  });
  const rows = await service.db.query<{ status: string; error: string | null }>(
    'select status, erasure_error as error from rights_requests where id = any ($1::bigint[]) order by id',
    [ids],
  );
  assert.deepEqual(rows, [
    { status: 'open', error: 'rows of audit_events: 55P03' },
    { status: 'fulfilled', error: null },
  ]);
});

/** Every change of lines about the person fails. */
async function breakErasures(): Promise<() => Promise<void>> {
  const { db } = service;
  await db.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'as told'; end $$`,
  );
  await db.query(
    `create trigger fail before update on audit_events for each row when (old.details ->> 'email' = '${person}')
     execute function fail()`,
  );
  return async () => void (await db.query('drop function fail cascade'));
}

const examine = async (): Promise<string> => {
  const checks = checksOfContent({ db: service.db, config: {} as never });
  const found = await checks.find(({ name }) => name === 'erasures')?.look();
  assert.ok(typeof found === 'string');
  return found;
};

test('an erasure that keeps failing is stopped and reported, and does not run until it is fulfilled again', async () => {
  const tenant = await service.tenant();
  await lineAbout(service, tenant);
  const mend = await breakErasures();
  const id = await startErasure(tenant);
  const limits = { max_failures: 3 };
  for (let failures = 1; failures <= 3; failures += 1) {
    assert.equal((await requestOf(tenant, id)).stopped_at, null);
    await assert.rejects(run({ limits, later_ms: failures * hourMs }), /as told/);
  }
  const stopped = await requestOf(tenant, id);
  assert.deepEqual([stopped.status, stopped.stop_reason], ['open', 'failing']);
  assert.deepEqual(await run({ limits, later_ms: 100 * hourMs }), { done: 0, left: 0 });
  await assert.rejects(
    examine(),
    new RegExp(`request ${id} of ${tenant.instance.slug} \\(failing, rows of audit_events: P0001\\)`),
  );
  assert.match(logged.join(''), new RegExp(`"request":${id},.*an erasure was stopped`));
  assert.doesNotMatch(logged.join(''), /ana@/);
  const extended = await tenant.api.post(`${rightsPath}/${id}/extend`, { reason: 'It was stopped.' });
  assert.equal(extended.json.code, 'rights_request_running');
  await mend();
  const resumed = await tenant.api.post(`${rightsPath}/${id}/fulfil`, {});
  assert.deepEqual([resumed.json.stopped_at, resumed.json.started_at], [null, stopped.started_at]);
  assert.deepEqual(await run(), { done: 1, left: 0 });
  assert.deepEqual(await stepsOf(tenant, id), ['received', 'started', 'stopped', 'resumed', 'fulfilled']);
  assert.match(await examine(), /none under way/);
});

test('one that waits is looked at less and less often, ends with its mail, and is stopped when that never ends', async () => {
  const tenant = await service.tenant();
  await mailUnderWay(service, tenant);
  const id = await startErasure(tenant);
  const waits = async (later_ms: number): Promise<number> => {
    assert.deepEqual(await run({ later_ms, limits: { max_walks: 2 } }), { done: 0, left: 1 });
    const [row] = await service.db.query<{ pause: number }>(
      'select extract(epoch from erasure_next_at - now())::integer as pause from rights_requests where id = $1',
      [id],
    );
    return Math.round(((row?.pause ?? 0) * 1_000 - later_ms) / 1_000);
  };
  assert.deepEqual([await waits(0), await waits(hourMs)], [1, 2]);
  assert.deepEqual(await run({ later_ms: 2 * hourMs, limits: { max_walks: 2 } }), { done: 0, left: 0 });
  assert.equal((await requestOf(tenant, id)).stop_reason, 'no_end');
  await service.db.query('update queue set lease = null, due_at = now() where instance_id = $1', [
    tenant.instance.id,
  ]);
  await service.db.query('delete from mail_subjects_pending');
  await tenant.api.post(`${rightsPath}/${id}/fulfil`, {});
  assert.deepEqual(await run(), { done: 1, left: 0 });
  assert.equal(await mailsLeft(tenant), 0);
});

test('lines written while mail waits are erased when none waits', async () => {
  const tenant = await service.tenant();
  await mailUnderWay(service, tenant);
  const id = await startErasure(tenant);
  assert.deepEqual(await run(), { done: 0, left: 1 });
  const line = await lineAbout(service, tenant);
  await service.db.query('update queue set lease = null, due_at = now() where instance_id = $1', [
    tenant.instance.id,
  ]);
  await service.db.query('delete from mail_subjects_pending');
  assert.deepEqual(await run({ later_ms: hourMs }), { done: 1, left: 0 });
  const [left] = await service.db.query('select details from audit_events where id = $1', [line]);
  assert.deepEqual(left, { details: { email: '[erased]' } });
  assert.equal((await requestOf(tenant, id)).status, 'fulfilled');
});

test('one that works longer than any can is stopped', async () => {
  const tenant = await service.tenant();
  const id = await startErasure(tenant);
  await service.db.query('update rights_requests set erasure_worked_ms = 1000 where id = $1', [id]);
  assert.deepEqual(await run({ limits: { max_worked_ms: 999 } }), { done: 0, left: 0 });
  assert.equal((await requestOf(tenant, id)).stop_reason, 'no_end');
});

const actor = { kind: 'operator' } as const;
const isDropped = async ({ api, instance }: Tenant): Promise<boolean> => {
  const sent = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: person }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  const dropped = await service.db.query('select from mails where msg_id = $1 and status = 4', [
    sent.json.message_id,
  ]);
  return dropped.length > 0;
};

test('a cancelled erasure erases nothing more, and the person is written to again unless another one stands', async () => {
  const tenant = await service.tenant();
  await deliveredMails(service, tenant, 350);
  const id = await startErasure(tenant);
  // The evidence, five pages of the queue, and the first page of mails.
  for (let batch = 0; batch < 7; batch += 1) await runOneBatch();
  const other = await startErasure(tenant);
  const cancel = async (of: number) => await tenant.api.post(`${rightsPath}/${of}/cancel`);
  const cancelled = await cancel(id);
  assert.deepEqual(
    [cancelled.status, cancelled.json.status, cancelled.json.started_at, cancelled.json.stop_reason],
    [200, 'open', null, 'cancelled'],
  );
  assert.equal(await isDropped(tenant), true, 'the other one stands');
  assert.equal((await cancel(other)).status, 200);
  assert.equal(await isDropped(tenant), false);
  const left = await mailsLeft(tenant);
  assert.ok(left >= 250, `${left} mails are left`);
  assert.deepEqual(await run({ later_ms: hourMs }), { done: 0, left: 0 });
  assert.equal(await mailsLeft(tenant), left);
  assert.equal((await cancel(id)).json.code, 'rights_request_not_running');
  assert.deepEqual(await stepsOf(tenant, id), ['received', 'started', 'cancelled']);
  const refused = await tenant.api.post(`${rightsPath}/${id}/refuse`, { ground: 'Not identified.' });
  assert.equal(refused.json.status, 'refused');
});

test('an older erasure stands when a newer one of the same person is cancelled', async () => {
  const tenant = await service.tenant();
  await mailUnderWay(service, tenant);
  await startErasure(tenant);
  const newer = await startErasure(tenant);
  assert.equal((await tenant.api.post(`${rightsPath}/${newer}/cancel`)).status, 200);
  assert.equal(await isDropped(tenant), true);
});

test('a cancellation waits for the batch under way, and none begins after it', async () => {
  const tenant = await service.tenant();
  const id = await startErasure(tenant);
  const cancellation = await service.db.transaction(async (tx) => {
    assert.ok(await lockRunning(tx, id));
    const cancelling = service.db.transaction(
      async (other) => await cancelErasure(other, tenant.instance.id, { id, actor, now: new Date() }),
    );
    await waitForLocks(service.db, 1);
    return { cancelling };
  });
  await cancellation.cancelling;
  assert.equal(await service.db.transaction(async (tx) => await lockRunning(tx, id)), undefined);
});
