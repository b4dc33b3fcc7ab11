import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { fulfilRequest, liftRequest } from './decide-request.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';

const path = '/v1/rights-requests';
let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
});
after(async () => await service.stop());

const contactOf = (contact: string) => ({ contact, contact_type: 'email_address' });

async function ask({ api }: Tenant, ...addresses: string[]): Promise<number> {
  const asked = await api.post(path, { kind: 'blocking', contacts: addresses.map(contactOf) });
  assert.equal(asked.status, 201, asked.text);
  return asked.json.id;
}

async function block(tenant: Tenant, ...addresses: string[]): Promise<number> {
  const id = await ask(tenant, ...addresses);
  assert.equal((await tenant.api.post(`${path}/${id}/fulfil`, {})).status, 200);
  return id;
}

/** What becomes of a mail to each address, and what the lists leave out. */
async function stateOf({ api, instance }: Tenant, ...addresses: string[]) {
  const sent = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: addresses.map((email) => ({ email })),
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  const mails = await service.db.query<{ recipient: string }>(
    'select recipient from mails where msg_id = $1 and status = 4 order by recipient',
    [sent.json.message_id],
  );
  const [hidden] = await service.db.query<{ contacts: string[] | null }>(
    'select (select array_agg(distinct c order by c) from unnest(blocked_contacts($1)) as c) as contacts',
    [instance.id],
  );
  return { dropped: mails.map(({ recipient }) => recipient), hidden: hidden?.contacts ?? [] };
}

test('a person with two blocks stays blocked until both are lifted', async () => {
  const tenant = await service.tenant();
  const [ana, eva] = ['ana@sandbox.test', 'eva@sandbox.test'];
  const first = await block(tenant, ana);
  const second = await block(tenant, ana, eva);
  const lift = async (id: number) => (await tenant.api.post(`${path}/${id}/lift`, {})).status;
  assert.equal(await lift(first), 200);
  assert.deepEqual(await stateOf(tenant, ana, eva), { dropped: [ana, eva], hidden: [ana, eva] });
  assert.equal(await lift(second), 200);
  assert.deepEqual(await stateOf(tenant, ana, eva), { dropped: [], hidden: [] });
});

test('a blocking that is lifted while another one is decided or lifted leaves what is left to stand', async () => {
  const tenant = await service.tenant();
  const instanceId = tenant.instance.id;
  const ana = 'ana@sandbox.test';
  const decision = (id: number) => ({ id, actor: { kind: 'system' }, now: new Date() }) as const;
  const lift = async (id: number) =>
    await service.db.transaction(async (tx) => await liftRequest(tx, instanceId, decision(id)));
  const first = await block(tenant, ana);
  const second = await ask(tenant, ana);
  const lifted = await service.db.transaction(async (tx) => {
    await fulfilRequest(tx, instanceId, { ...decision(second), resolution: null });
    const lifting = lift(first);
    await waitForLocks(service.db, 1);
    return { lifting };
  });
  await lifted.lifting;
  assert.deepEqual(await stateOf(tenant, ana), { dropped: [ana], hidden: [ana] });

  const third = await block(tenant, ana);
  const last = await service.db.transaction(async (tx) => {
    await liftRequest(tx, instanceId, decision(second));
    const lifting = lift(third);
    await waitForLocks(service.db, 1);
    return { lifting };
  });
  await last.lifting;
  assert.deepEqual(await stateOf(tenant, ana), { dropped: [], hidden: [] });
});

test('mail that was under way when its recipient was blocked is dropped before its next attempt', async () => {
  const tenant = await service.tenant();
  const { api, instance } = tenant;
  const destination = [instance.id, 'sandbox.test'];
  await pauseDestination(service, instance.id, 'sandbox.test');
  const sent = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: 'Ana@sandbox.test' }, { email: 'eva@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  const [lease, message] = [randomUUID(), [sent.json.message_id]];
  await service.db.query(
    `update queue set lease = '${lease}', due_at = now() + interval '1 hour', attempts = 1 where msg_id = $1`,
    message,
  );
  await block(tenant, 'ana@sandbox.test');
  await service.db.query('update queue set lease = null, due_at = now() where msg_id = $1', message);
  await service.db.query(
    'delete from paused_destinations where instance_id = $1 and destination = $2',
    destination,
  );
  const ends = async () =>
    await service.db.query<{ event: string; reason: string | null }>(
      `select event, reason from events where msg_id = $1 and event in ('sent', 'dropped') order by event`,
      message,
    );
  await waitFor(async () => (await ends()).length === 2, { what: 'the end of both mails' });
  assert.deepEqual(await ends(), [
    { event: 'dropped', reason: 'recipient_blocked' },
    { event: 'sent', reason: null },
  ]);
});

test('lifting does not change an erasure that a restore took over under the same number', async () => {
  const tenant = await service.tenant();
  const id = await block(tenant, 'ana@sandbox.test');
  await service.db.query(
    `insert into suppressed_contacts (instance_id, hash, kind, request_id, since)
     select instance_id, hash, 'erased', request_id, since from suppressed_contacts where request_id = $1`,
    [id],
  );
  assert.equal((await tenant.api.post(`${path}/${id}/lift`, {})).status, 200);
  const left = await service.db.query('select kind from suppressed_contacts where request_id = $1', [id]);
  assert.deepEqual(left, [{ kind: 'erased' }]);
});
