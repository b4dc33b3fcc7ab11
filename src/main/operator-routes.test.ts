import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { setOperator } from '../accounts/users.ts';

const path = '/v1/private/operator';
let service: TestService;
let tenant: Tenant;
let operator: PanelUser;
before(async () => {
  service = await startTestService({ roles: 'api,jobs' });
  tenant = await service.tenant();
  operator = await signIn(service, tenant, 'viewer');
  await setOperator(service.db, operator.login.email, { is_operator: true, actor: { kind: 'operator' } });
});
after(async () => await service.stop());

test('only operators use what is below /operator, whatever their role elsewhere', async () => {
  const owner = await signIn(service, tenant, 'owner');
  const operations = service.service.operations.filter((each) => each.path.startsWith(`${path}/`));
  assert.ok(operations.length >= 12, String(operations.length));
  for (const { method, path: route, access, body_example } of operations) {
    assert.deepEqual(access, { kind: 'operator' });
    const named = route.replaceAll(/\{\w+\}/g, 'acme');
    const { json } = await owner.request(
      method,
      named,
      body_example === undefined ? {} : { body: body_example },
    );
    assert.equal(json.code, 'forbidden', `${method} ${route}`);
  }
  await setOperator(service.db, operator.login.email, { is_operator: false, actor: { kind: 'operator' } });
  assert.equal((await operator.get(`${path}/nodes`)).json.code, 'forbidden');
  await setOperator(service.db, operator.login.email, { is_operator: true, actor: { kind: 'operator' } });
  assert.equal((await operator.get(`${path}/nodes`)).status, 200);
});

test('an instance is made, found, limited and disabled, and its maker owns it', async () => {
  const made = await operator.post(`${path}/instances`, { slug: 'made-here', name: 'Made here' });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), `${path}/instances/made-here`);
  const again = await operator.post(`${path}/instances`, { slug: 'made-here', name: 'Again' });
  assert.equal(again.json.code, 'instance_already_exists');
  assert.equal((await operator.post(`${path}/instances`, { slug: 'No!', name: 'x' })).status, 422);
  const me = (await operator.get('/v1/private/me')).json;
  assert.equal(me.instances.find(({ slug }: { slug: string }) => slug === 'made-here').role, 'owner');
  const found = (await operator.get(`${path}/instances?search=MADE`)).json.data;
  assert.deepEqual(
    found.map(({ slug }: { slug: string }) => slug),
    ['made-here'],
  );
  const changed = await operator.patch(`${path}/instances/made-here`, {
    plan_send_limit: 500,
    is_enabled: false,
  });
  assert.deepEqual([changed.json.plan_send_limit, changed.json.is_enabled], [500, false]);
  assert.equal((await operator.patch(`${path}/instances/made-here`, { timezone: 'Mars' })).status, 422);
  assert.equal((await operator.get(`${path}/instances/nowhere`)).json.code, 'instance_not_found');
  const trail = await service.db.query<{ actor_kind: string; actor_id: string }>(
    `select actor_kind, actor_id from audit_events where object_kind = 'instance' and object_id = 'made-here' and action = 'instance.updated'`,
  );
  assert.deepEqual(trail, [{ actor_kind: 'user', actor_id: String(operator.id) }]);
});

test('nodes and jobs are listed, and a job is run when asked', async () => {
  const nodes = (await operator.get(`${path}/nodes`)).json.data;
  assert.ok(
    nodes.some(
      ({ is_alive, roles }: { is_alive: boolean; roles: string[] }) => is_alive && roles.includes('jobs'),
    ),
  );
  await service.db.query(
    `insert into jobs (name, next_run_at) values ('purge_logins', now()) on conflict do nothing`,
  );
  await service.db.query(
    `update jobs set next_run_at = now() + interval '1 day' where name = 'purge_logins'`,
  );
  const jobs = (await operator.get(`${path}/jobs`)).json.data;
  const job = jobs.find(({ name }: { name: string }) => name === 'purge_logins');
  assert.equal(job.every_seconds, 3_600);
  assert.equal((await operator.post(`${path}/jobs/purge_logins/run`)).status, 204);
  const [due] = await service.db.query<{ soon: boolean }>(
    `select next_run_at < now() + interval '2 hours' as soon from jobs where name = 'purge_logins'`,
  );
  assert.ok(due?.soon);
  assert.equal((await operator.post(`${path}/jobs/nothing/run`)).json.code, 'job_not_found');
});

test('source addresses are added, shown with their warm-up, assigned and removed', async () => {
  const sources = `${path}/sources`;
  const added = await operator.post(sources, {
    address: '192.0.2.7',
    ehlo_name: 'out7.example.com',
    pool: 'bulk',
  });
  assert.equal(added.status, 201);
  assert.deepEqual([added.json.warm_up_day, added.json.daily_cap], [1, 50]);
  assert.equal((await operator.post(sources, { address: 'x', ehlo_name: 'a.example.com' })).status, 422);
  const twice = await operator.post(sources, { address: '192.0.2.7', ehlo_name: 'out7.example.com' });
  assert.equal(twice.json.code, 'source_address_already_exists');
  await service.db.query(
    `insert into source_usage (source_id, provider, day, used) select id, 'gmail.com', 0, 12 from source_addresses`,
  );
  const pool = `${path}/instances/${tenant.instance.slug}/source-pool`;
  assert.equal((await operator.post(pool, { pool: 'nothing' })).json.code, 'source_pool_not_found');
  assert.equal((await operator.post(pool, { pool: 'bulk' })).status, 204);
  const { data, assignments } = (await operator.get(sources)).json;
  assert.deepEqual(data[0].used_today, [{ provider: 'gmail.com', used: 12 }]);
  assert.deepEqual(assignments, [{ instance: tenant.instance.slug, pool: 'bulk' }]);
  assert.equal((await operator.delete(`${sources}/192.0.2.7`)).json.code, 'source_pool_in_use');
  assert.equal((await operator.post(pool, { pool: 'default' })).status, 204);
  assert.equal((await operator.delete(`${sources}/192.0.2.7`)).status, 204);
  assert.equal((await operator.delete(`${sources}/192.0.2.7`)).json.code, 'source_address_not_found');
});

test('a domain is revoked by its name, and no tenant lifts that', async () => {
  const owner = await signIn(service, tenant, 'owner');
  const { json: domain } = await owner.post('/v1/private/domains', { domain: 'revoked.example.org' });
  const revocations = `${path}/domain-revocations`;
  assert.equal((await operator.post(revocations, { domain: 'Revoked.Example.org' })).status, 204);
  assert.equal((await operator.post(revocations, { domain: 'com' })).status, 422);
  assert.deepEqual((await operator.get(revocations)).json.data[0].instances, [tenant.instance.slug]);
  const refused = await owner.post(`/v1/private/domains/${domain.id}/reinstate`);
  assert.equal(refused.json.code, 'domain_revoked_by_operator');
  assert.equal((await operator.delete(`${revocations}/revoked.example.org`)).status, 204);
  const lifted = await operator.delete(`${revocations}/revoked.example.org`);
  assert.equal(lifted.json.code, 'domain_revocation_not_found');
});

test('every check of doctor runs and says what it found', async () => {
  const { data } = (await operator.get(`${path}/checks`)).json;
  assert.ok(data.length >= 9);
  for (const { check } of data) {
    const { status, json } = await operator.post(`${path}/checks/${encodeURIComponent(check)}/run`);
    assert.equal(status, 200);
    assert.equal(json.ok, true, `${check}: ${json.detail}`);
    assert.equal(json.action, null);
  }
  assert.equal((await operator.post(`${path}/checks/nothing/run`)).json.code, 'check_not_found');
});

test('the list has what the scheduled run found', async () => {
  const last = async () =>
    (await operator.get(`${path}/checks`)).json.data.find(({ check }: { check: string }) => check === 'disk')
      .last;
  await waitFor(async () => (await last()) !== null, { what: 'the job to have run' });
  const { ok, detail, checked_at } = await last();
  assert.equal(ok, true);
  assert.match(detail, /GiB free/);
  assert.ok(Math.abs(Date.now() - Date.parse(checked_at)) < 60_000);
});
