import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';
import { reinstateDomain, revokeDomain, revokeDomainName } from './change-domain.ts';

type Panel = Awaited<ReturnType<typeof signIn>>;
interface Party {
  tenant: Tenant;
  admin: Panel;
}
const actor = { kind: 'operator' } as const;

let service: TestService;
let one: Party;
let two: Party;
before(async () => {
  service = await startTestService({ roles: 'api' });
  [one, two] = [await party(), await party()];
});
after(async () => await service.stop());

async function party(): Promise<Party> {
  const tenant = await service.tenant();
  return { tenant, admin: await signIn(service, tenant, 'admin') };
}
async function register({ admin }: Party, domain: string): Promise<number> {
  const { status, json, text } = await admin.post('/v1/private/domains', { domain });
  assert.equal(status, 201, text);
  return json.id;
}
async function change(act: typeof revokeDomain, { tenant }: Party, id: number): Promise<void> {
  await service.db.transaction(async (tx) => await act(tx, tenant.instance.id, { id, actor }));
}
async function stateOf({ admin }: Party, id: number): Promise<unknown[]> {
  const { json } = await admin.get(`/v1/private/domains/${id}`);
  return [json.mx_status, json.is_revoked_by_operator];
}
const path = (id: number, verb: string): string => `/v1/private/domains/${id}/${verb}`;

test('a name that an operator revoked stays revoked in every instance until an operator lifts it', async () => {
  const domain = 'revoked.example.test';
  const mine = await register(one, domain);
  const theirs = await register(two, domain);
  await change(revokeDomain, one, mine);
  for (const [owner, id] of [
    [one, mine],
    [two, theirs],
  ] as const) {
    assert.deepEqual(await stateOf(owner, id), ['revoked', true]);
    const refused = await owner.admin.post(path(id, 'reinstate'));
    assert.deepEqual([refused.status, refused.json.code], [409, 'domain_revoked_by_operator']);
    assert.equal((await owner.admin.post(path(id, 'revoke'))).status, 200);
  }
  assert.equal((await one.admin.delete(`/v1/private/domains/${mine}`)).status, 204);
  const again = await register(one, domain);
  assert.deepEqual(await stateOf(one, again), ['revoked', true]);
  await one.admin.post(path(again, 'validate'));
  const third = await party();
  const later = await register(third, domain);
  for (const [owner, id] of [
    [one, again],
    [two, theirs],
    [third, later],
  ] as const) {
    assert.equal((await owner.admin.post(path(id, 'reinstate'))).status, 409);
    assert.deepEqual(await stateOf(owner, id), ['revoked', true]);
  }
  await change(reinstateDomain, two, theirs);
  for (const [owner, id] of [
    [one, again],
    [two, theirs],
    [third, later],
  ] as const) {
    assert.deepEqual(await stateOf(owner, id), ['pending', false]);
  }
  const trail = await service.db.query(
    `select action from audit_events where instance_id = $1 and object_id = $2 and actor_kind = 'operator' order by id`,
    [two.tenant.instance.id, theirs],
  );
  assert.deepEqual(trail, [{ action: 'domain.revoked' }, { action: 'domain.reinstated' }]);
  const seen = (await two.tenant.api.get(`/v1/domains/${theirs}`)).json;
  assert.equal(seen.is_revoked_by_operator, false, 'which a program can see too');
});

test('a name that an instance revoked is revoked in that instance only, and it may lift it', async () => {
  const domain = 'own.example.test';
  const mine = await register(one, domain);
  const theirs = await register(two, domain);
  await one.admin.post(path(mine, 'revoke'));
  assert.deepEqual(await stateOf(one, mine), ['revoked', false]);
  assert.deepEqual(await stateOf(two, theirs), ['pending', false]);
  assert.equal((await one.admin.post(path(mine, 'reinstate'))).json.mx_status, 'pending');
  await one.admin.post(path(mine, 'revoke'));
  await change(reinstateDomain, one, mine);
  assert.deepEqual(await stateOf(one, mine), ['pending', false]);
});

test('a name that is registered while it is revoked does not slip through', async () => {
  const domain = 'raced.example.test';
  const mine = await register(one, domain);
  const made = await service.db.transaction(async (tx) => {
    await revokeDomain(tx, one.tenant.instance.id, { id: mine, actor });
    const registering = register(two, domain);
    await waitForLocks(service.db);
    return { registering };
  });
  assert.deepEqual(await stateOf(two, await made.registering), ['revoked', true]);
});

test('a registration that was deleted is revoked too: its accepted mail would still be sent', async () => {
  const domain = 'deleted.example.test';
  const mine = await register(one, domain);
  await service.db.query(
    `update domains set mx_status = 'verified', spf_status = 'verified', dkim_status = 'verified', dmarc_status = 'verified'
     where id = $1`,
    [mine],
  );
  assert.equal((await one.admin.delete(`/v1/private/domains/${mine}`)).status, 204);
  await service.db.transaction(async (tx) => await revokeDomainName(tx, domain, actor));
  const states = await service.db.query('select mx_status, dkim_status from domains where id = $1', [mine]);
  assert.deepEqual(states, [{ mx_status: 'revoked', dkim_status: 'revoked' }]);
});
