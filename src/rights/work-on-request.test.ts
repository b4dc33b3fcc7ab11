import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { openConsentAccount } from '../consent/consent-account.fixture.ts';

const path = '/v1/rights-requests';
const clock = createMovableClock('2026-12-01T12:00:00Z');
const contacts = [{ contact: 'ana@example.com', contact_type: 'email_address' }];
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api', clock });
  tenant = await service.tenant();
});
after(async () => await service.stop());

const open = async (body: object = {}) => {
  const created = await tenant.api.post(path, { kind: 'access', contacts, ...body });
  assert.equal(created.status, 201, created.text);
  return created.json;
};

test('counts what is held about a person, by kind, and nothing of others', async () => {
  const account = await openConsentAccount(service, tenant);
  await account.recordAllow('ana@example.com');
  await account.recordAllow('other@example.com');
  const { id } = await open();
  const held = await tenant.api.get(`${path}/${id}/held`);
  assert.equal(held.status, 200, held.text);
  const rows = new Map(held.json.data.map((each: { name: string; rows: number }) => [each.name, each.rows]));
  assert.equal(rows.get('consents'), 1);
  assert.equal(rows.get('mails'), 0);
  assert.equal(rows.get('rights_requests'), 1);
});

test('an unverified request does not say what is held', async () => {
  const { id } = await open();
  await service.db.query(`update rights_requests set status = 'unverified' where id = $1`, [id]);
  const held = await tenant.api.get(`${path}/${id}/held`);
  assert.deepEqual([held.status, held.json.code], [409, 'rights_request_unverified']);
});

test('the checklist is that of its kind, and refuses steps of other kinds', async () => {
  const { id, checklist } = await open({ kind: 'rectification' });
  const steps = new Set(checklist.map(({ step }: { step: string }) => step));
  assert.ok(steps.has('data_corrected') && !steps.has('archive_reviewed'));
  const changed = await tenant.api.patch(`${path}/${id}`, { checked: ['data_corrected'], note: 'Called.' });
  assert.equal(changed.json.note, 'Called.');
  assert.deepEqual(
    changed.json.checklist.filter((each: { is_done: boolean }) => each.is_done),
    [{ step: 'data_corrected', is_done: true }],
  );
  const foreign = await tenant.api.patch(`${path}/${id}`, { checked: ['archive_reviewed'] });
  assert.deepEqual(
    [foreign.status, foreign.json.violations?.[0]?.pointer ?? foreign.json.errors?.[0]?.pointer],
    [422, '/checked/0'],
  );
  const kept = await tenant.api.patch(`${path}/${id}`, { note: null });
  assert.deepEqual([kept.json.note, kept.json.checklist], [null, changed.json.checklist]);
});

test('a note is in no line of the audit log', async () => {
  const { id } = await open();
  await tenant.api.patch(`${path}/${id}`, { note: 'She rang about zebras.' });
  const lines = await service.db.query(`select details from audit_events where object_id = $1`, [String(id)]);
  assert.match(JSON.stringify(lines), /"has_note":true/);
  assert.doesNotMatch(JSON.stringify(lines), /zebras/);
});

test('drafts answers in both languages, with the dates of the instance and the reasons that were given', async () => {
  await service.db.query(`update instances set timezone = 'America/Santiago' where id = $1`, [
    tenant.instance.id,
  ]);
  const { id } = await open({ kind: 'erasure', received_at: '2026-12-01T02:00:00Z' });
  const spanish = (await tenant.api.get(`${path}/${id}/answers`)).json;
  assert.equal(spanish.language, 'es');
  const received = spanish.data.find(({ answer }: { answer: string }) => answer === 'received');
  assert.match(received.text, /30 de noviembre de 2026/);
  assert.doesNotMatch(JSON.stringify(spanish), /\busted\b|\bsus datos\b/i);
  await tenant.api.post(`${path}/${id}/refuse`, { ground: 'An invoice has to be kept.' });
  const english = (await tenant.api.get(`${path}/${id}/answers?language=en`)).json;
  const refused = english.data.find(({ answer }: { answer: string }) => answer === 'refused');
  assert.match(refused.text, /An invoice has to be kept\./);
});
