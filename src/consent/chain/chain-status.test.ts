import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { openConsentAccount } from '../consent-account.fixture.ts';
import { tamper } from './tamper.fixture.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

test('the status says where the chain ends and whether its newest rows are intact', async () => {
  const account = await openConsentAccount(service);
  const viewer = await signIn(service, account, 'viewer');
  const status = async () => (await viewer.get('/v1/private/consent-chain/status')).json;
  const empty = await status();
  assert.deepEqual([empty.sequence, empty.last_recorded_at, empty.recent.is_intact], [0, null, true]);
  assert.equal(empty.hash, '0'.repeat(64));
  for (let n = 0; n < 3; n += 1) await account.recordAllow(`person-${n}@example.com`);
  const { id } = await account.recordAllow('ana@example.com');
  const grown = await status();
  assert.deepEqual([grown.sequence, grown.recent.checked, grown.recent.is_intact], [4, 4, true]);
  assert.equal(grown.hash, grown.recent.hash);
  assert.ok(Date.now() - Date.parse(grown.last_recorded_at) < 60_000);
  await tamper(
    service.db,
    async (tx) => await tx.query(`update consent_rules set action = 'deny' where event_id = $1`, [id]),
  );
  const broken = await status();
  assert.equal(broken.recent.is_intact, false);
  assert.deepEqual(broken.recent.first_break, { sequence: 4, problem: 'altered', consent_event_id: id });
});

test('a place that was noted is compared with the chain, and a rewritten one is found by it', async () => {
  const account = await openConsentAccount(service);
  const viewer = await signIn(service, account, 'viewer');
  for (let n = 0; n < 3; n += 1) await account.recordAllow(`noted-${n}@example.com`);
  const { sequence, hash } = (await viewer.get('/v1/private/consent-chain/status')).json;
  const check = async (anchor: string) =>
    await viewer.get(`/v1/private/consent-chain?anchor=${encodeURIComponent(anchor)}`);
  const kept = await check(`${sequence}:${hash}`);
  assert.deepEqual([kept.json.is_intact, kept.json.checked], [true, 3]);
  const other = hash.replace(/./, (first: string) => (first === '0' ? '1' : '0'));
  assert.deepEqual((await check(`${sequence}:${other}`)).json.first_break.problem, 'altered');
  assert.deepEqual((await check(`${sequence + 1}:${hash}`)).json.first_break, {
    sequence: 4,
    problem: 'missing',
    consent_event_id: null,
  });
  const refused = await check('somewhere');
  assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/anchor']);
});
