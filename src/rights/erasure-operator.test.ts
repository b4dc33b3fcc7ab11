import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { setOperator } from '../accounts/users.ts';
import { runCommandLine } from '../main/command-line.ts';
import { mailUnderWay, rightsPath, startErasure } from './erasure-bed.fixture.ts';
import { runErasures } from './run-erasures.ts';

const path = '/v1/private/operator/erasures';
let service: TestService;
let operator: PanelUser;
before(async () => {
  service = await startTestService({ roles: 'api' });
  operator = await signIn(service, await service.tenant(), 'viewer');
  await setOperator(service.db, operator.login.email, { is_operator: true, actor: { kind: 'operator' } });
});
after(async () => await service.stop());

const auditOf = async (id: number) =>
  await service.db.query(
    `select actor_kind, actor_id from audit_events where action = 'rights_request.cancelled' and object_id = $1`,
    [String(id)],
  );

test('an operator sees which erasures are under way, and of whom nothing, and cancels one', async () => {
  const tenant = await service.tenant();
  await mailUnderWay(service, tenant);
  const id = await startErasure(tenant);
  await runErasures({ db: service.db, now: new Date(), isStopping: () => false });
  const listed = await operator.get(path);
  assert.doesNotMatch(listed.text, /@/);
  const [erasure] = listed.json.data;
  assert.deepEqual(
    [erasure.id, erasure.instance, erasure.failures, erasure.stopped_at, erasure.next_at !== null],
    [id, tenant.instance.slug, 0, null, true],
  );
  assert.equal((await operator.post(`${path}/${id}/cancel`)).status, 204);
  assert.deepEqual((await operator.get(path)).json.data, []);
  assert.deepEqual(await auditOf(id), [{ actor_kind: 'user', actor_id: String(operator.id) }]);
  assert.equal((await operator.post(`${path}/${id}/cancel`)).json.code, 'rights_request_not_running');
  assert.equal((await operator.post(`${path}/999999/cancel`)).json.code, 'rights_request_not_found');
});

test('the command line and admins of the instance cancel one too; others do not', async () => {
  const tenant = await service.tenant();
  const [first, second] = [await startErasure(tenant), await startErasure(tenant, 'eva@sandbox.test')];
  let said = '';
  const add = (text: string): void => void (said += text);
  const env = {
    DATABASE_URL: service.database.url,
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
  };
  const command = ['rights', 'cancel', '--instance', tenant.instance.slug, String(first)];
  assert.equal(await runCommandLine(command, { env, out: add, err: add }), 0, said);
  assert.match(said, /erasure {2}open {2}stopped: cancelled/);
  assert.deepEqual(await auditOf(first), [{ actor_kind: 'operator', actor_id: null }]);
  const cancel = `/v1/private${rightsPath.slice(3)}/${second}/cancel`;
  const developer = await signIn(service, tenant, 'developer');
  assert.equal((await developer.post(cancel)).json.code, 'forbidden');
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await stranger.post(cancel)).json.code, 'rights_request_not_found');
  const admin = await signIn(service, tenant, 'admin');
  assert.equal((await admin.post(cancel)).json.stop_reason, 'cancelled');
});
