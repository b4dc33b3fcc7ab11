import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';
import { fulfilRequest, refuseRequest } from './decide-request.ts';
import { purgeUnverifiedJob } from './remind-due.ts';
import { verifyRequest } from './verify-request.ts';

const path = '/v1/rights-requests';
const clock = createMovableClock('2026-12-01T12:00:00Z');
const contacts = [{ contact: 'ana@example.com', contact_type: 'email_address' }];
const actor = { kind: 'system' } as const;
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api', clock });
  tenant = await service.tenant();
});
after(async () => await service.stop());

async function open(kind: string): Promise<string> {
  const asked = await tenant.api.post(path, { kind, contacts });
  assert.equal(asked.status, 201, asked.text);
  return `${path}/${asked.json.id}`;
}

const codeOf = async (url: string, body: object = {}): Promise<unknown> =>
  (await tenant.api.post(url, body)).json.code;

test('an erasure that is under way is neither decided again nor extended', async () => {
  const at = await open('erasure');
  assert.equal((await tenant.api.post(`${at}/fulfil`, {})).json.status, 'open');
  assert.deepEqual(
    [
      await codeOf(`${at}/fulfil`),
      await codeOf(`${at}/refuse`, { ground: 'Late.' }),
      await codeOf(`${at}/extend`, { reason: 'Late.' }),
    ],
    ['rights_request_running', 'rights_request_running', 'rights_request_running'],
  );
});

test('only a blocking that stands is lifted, once', async () => {
  const at = await open('blocking');
  assert.equal(await codeOf(`${at}/lift`), 'rights_request_not_blocking', 'it is open');
  await tenant.api.post(`${at}/fulfil`, {});
  assert.equal((await tenant.api.post(`${at}/lift`, {})).status, 200);
  assert.equal(await codeOf(`${at}/lift`), 'rights_request_not_blocking', 'it is lifted');
  const other = await open('access');
  await tenant.api.post(`${other}/fulfil`, {});
  assert.equal(
    await codeOf(`${other}/lift`),
    'rights_request_not_blocking',
    'another request is not a blocking',
  );
});

test('one of two decisions at the same time holds', async () => {
  const at = await open('blocking');
  const decision = { id: Number(at.split('/').at(-1)), actor, now: clock.now() };
  const { id } = tenant.instance;
  const { second } = await service.db.transaction(async (tx) => {
    await refuseRequest(tx, id, { ...decision, ground: 'Not identified.' });
    const fulfilling = service.db.transaction(
      async (other) => await fulfilRequest(other, id, { ...decision, resolution: null }),
    );
    await waitForLocks(service.db, 1);
    return { second: assert.rejects(fulfilling, { code: 'rights_request_closed' }) };
  });
  await second;
  assert.equal((await tenant.api.get(at)).json.status, 'refused');
});

test('an archive exists only for access and portability, and only until the person is erased', async () => {
  const refusal = async (at: string) => await codeOfGet(`${at}/archive`);
  assert.equal(await refusal(await open('rectification')), 'rights_archive_not_available');
  const refused = await open('access');
  await tenant.api.post(`${refused}/refuse`, { ground: 'Not identified.' });
  assert.equal(await refusal(refused), 'rights_archive_not_available');
  const erased = await open('access');
  const change = async (at: string, to: string): Promise<unknown> =>
    await service.db.query(`update rights_requests set ${to} where id = $1`, [Number(at.split('/').at(-1))]);
  await change(erased, `contacts = '[]'`);
  assert.equal(await refusal(erased), 'rights_archive_not_available');
  const unverified = await open('access');
  await change(unverified, `status = 'unverified'`);
  assert.equal(await refusal(unverified), 'rights_request_unverified');
});

const codeOfGet = async (url: string): Promise<unknown> => (await tenant.api.get(url)).json.code;

test('a request may have been received within the past year', async () => {
  const ask = async (received_at: string) =>
    (await tenant.api.post(path, { kind: 'access', contacts, received_at })).status;
  assert.deepEqual([await ask('2025-12-02T00:00:00Z'), await ask('2025-11-30T00:00:00Z')], [201, 422]);
});

test('only unverified requests are deleted after a week; a link opens a request once', async () => {
  const { db } = service;
  const [openOne, late, fresh] = [await open('access'), await open('access'), await open('access')];
  const idOf = (at: string): number => Number(at.split('/').at(-1));
  const back = async (at: string, status: string, days: number): Promise<unknown> =>
    await db.query(
      `update rights_requests set status = $2, created_at = $3::timestamptz - make_interval(days => $4) where id = $1`,
      [idOf(at), status, clock.now(), days],
    );
  await back(openOne, 'open', 8);
  await back(late, 'unverified', 8);
  await back(fresh, 'unverified', 6);
  await purgeUnverifiedJob.run({ db, now: clock.now(), isStopping: () => false });
  const left = await db.query<{ id: number }>(
    'select id from rights_requests where id = any ($1) order by id',
    [[openOne, late, fresh].map(idOf)],
  );
  assert.deepEqual(
    left.map(({ id }) => id),
    [idOf(openOne), idOf(fresh)],
  );
  const verify = async (): Promise<void> =>
    await db.transaction(async (tx) => await verifyRequest(tx, idOf(fresh), { actor, now: clock.now() }));
  await verify();
  await tenant.api.post(`${fresh}/fulfil`, {});
  await verify();
  const { status, receipts } = (await tenant.api.get(fresh)).json;
  assert.deepEqual(
    [status, receipts.map(({ step }: { step: string }) => step)],
    ['fulfilled', ['received', 'verified', 'fulfilled']],
  );
});
