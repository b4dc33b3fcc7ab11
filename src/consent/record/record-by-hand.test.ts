import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { verifyChain } from '../chain/verify-chain.ts';
import { openConsentAccount, type ConsentAccount } from '../consent-account.fixture.ts';
import { restoreAfterResubscribe, withdrawForUnsubscribe } from './withdraw-consent.ts';

let service: TestService;
let account: ConsentAccount;
let admin: PanelUser;
before(async () => {
  service = await startTestService();
  account = await openConsentAccount(service);
  admin = await signIn(service, account, 'admin');
});
after(async () => await service.stop());

const path = '/v1/private/consent-events';

async function record(action: 'allow' | 'deny', contact: string, more: object = {}) {
  return await admin.post(path, body(action, contact, more));
}

function body(action: 'allow' | 'deny', contact: string, more: object = {}): object {
  return {
    term_id: account.first.id,
    method: 'single_opt_in',
    reason: 'Signed paper of 12 March',
    rules: [{ contact_type: 'email_address', contact, purpose_id: account.marketing, action }],
    ...more,
  };
}

async function verdict(contact: string): Promise<string> {
  const query = new URLSearchParams({
    contact,
    contact_type: 'email_address',
    purpose_id: String(account.marketing),
  });
  return (await account.api.get(`/v1/consent-rules/resolve?${query.toString()}`)).json.verdict;
}

test('a consent and a withdrawal written down by hand hold, with the reason in the evidence', async () => {
  const given = await record('allow', 'Ana@example.com');
  assert.equal(given.status, 201, given.text);
  assert.equal(given.headers.get('location'), `${path}/${given.json.id}`);
  assert.deepEqual([given.json.source, given.json.status], ['import', 'confirmed']);
  assert.equal(await verdict('ana@example.com'), 'allow');
  assert.equal((await record('deny', 'ana@example.com', { reason: 'Asked by phone' })).status, 201);
  assert.equal(await verdict('ana@example.com'), 'deny');
  const evidence = await admin.get('/v1/private/consent-evidence?contact=ana@example.com');
  assert.deepEqual(
    evidence.json.events.map((event: { evidence: { actor: string; reason: string } }) => [
      event.evidence.actor,
      event.evidence.reason,
    ]),
    [
      [`user:${admin.id}`, 'Signed paper of 12 March'],
      [`user:${admin.id}`, 'Asked by phone'],
    ],
  );
  assert.equal((await verifyChain(service.db, account.instance.id)).is_intact, true);
});

test('each is audited with who, why and about whom', async () => {
  const { json } = await record('allow', 'eva@example.com');
  const [event] = await service.db.query(
    `select actor_kind, actor_id, details from audit_events where action = 'consent_event.recorded' and object_id = $1`,
    [String(json.id)],
  );
  const rule = {
    contact_type: 'email_address',
    contact: 'eva@example.com',
    channel: 'mail',
    purpose_id: account.marketing,
    action: 'allow',
  };
  assert.deepEqual(event, {
    actor_kind: 'user',
    actor_id: String(admin.id),
    details: { term_id: account.first.id, reason: 'Signed paper of 12 March', rules: [rule] },
  });
});

test('subscribing again does not undo a withdrawal that was written down by hand', async () => {
  await record('allow', 'leo@example.com');
  await record('deny', 'leo@example.com', { reason: 'Asked in person' });
  const holder = {
    instance_id: account.instance.id,
    contact: 'leo@example.com',
    purpose_id: account.marketing,
    at: new Date(),
  };
  await service.db.transaction(async (tx) => await withdrawForUnsubscribe(tx, holder));
  await service.db.transaction(async (tx) => await restoreAfterResubscribe(tx, holder));
  assert.equal(await verdict('leo@example.com'), 'deny');
});

test('a record by hand needs a reason, an administrator, and a term that allows it', async () => {
  assert.equal((await record('allow', 'x@example.com', { reason: undefined })).status, 422);
  assert.equal((await record('allow', 'x@example.com', { reason: '     ' })).status, 422);
  const developer = await signIn(service, account, 'developer');
  assert.equal((await developer.post(path, body('allow', 'x@example.com'))).status, 403);
  const inactive = await account.term({ is_active: false });
  const refused = await record('allow', 'x@example.com', { term_id: inactive.id });
  assert.deepEqual([refused.status, refused.json.code], [409, 'consent_term_inactive']);
  assert.equal((await record('deny', 'x@example.com', { term_id: inactive.id })).status, 201);
  const other = await openConsentAccount(service);
  const foreign = await record('allow', 'x@example.com', { term_id: other.first.id });
  assert.equal(foreign.json.code, 'consent_term_not_found');
});
