import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { verifyChain } from '../consent/chain/verify-chain.ts';
import { openConsentAccount } from '../consent/consent-account.fixture.ts';
import { remindDue } from './remind-due.ts';

const path = '/v1/rights-requests';
const clock = createMovableClock('2026-12-01T12:00:00Z');
const contacts = [{ contact: 'Ana@Example.com', contact_type: 'email_address' }];
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api', clock });
  tenant = await service.tenant();
});
after(async () => await service.stop());

const open = async (body: object = {}, api = tenant.api) => {
  const created = await api.post(path, { kind: 'access', contacts, ...body });
  assert.equal(created.status, 201, created.text);
  return created.json;
};

test('a request is due after 30 days, and every step leaves an audit event and a receipt without the person', async () => {
  const request = await open();
  assert.deepEqual(
    [request.status, request.origin, request.due_at, request.contacts],
    [
      'open',
      'api',
      '2026-12-31T12:00:00.000Z',
      [{ contact: 'ana@example.com', contact_type: 'email_address' }],
    ],
  );
  const extended = await tenant.api.post(`${path}/${request.id}/extend`, { reason: 'Two systems.' });
  assert.equal(extended.json.due_at, '2027-01-30T12:00:00.000Z');
  const twice = await tenant.api.post(`${path}/${request.id}/extend`, { reason: 'Again.' });
  assert.deepEqual([twice.status, twice.json.code], [409, 'rights_request_extended_already']);
  const done = await tenant.api.post(`${path}/${request.id}/fulfil`, { resolution: 'Sent.' });
  assert.deepEqual([done.json.status, done.json.resolution], ['fulfilled', 'Sent.']);
  assert.deepEqual(
    done.json.receipts.map(({ step }: { step: string }) => step),
    ['received', 'extended', 'fulfilled'],
  );
  const closed = await tenant.api.post(`${path}/${request.id}/refuse`, { ground: 'Late.' });
  assert.equal(closed.json.code, 'rights_request_closed');
  const audited = await service.db.query<{ action: string; details: object }>(
    `select action, details from audit_events where object_kind = 'rights_request' and object_id = $1 order by id`,
    [String(request.id)],
  );
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['rights_request.received', 'rights_request.extended', 'rights_request.fulfilled'],
  );
  const receipts = await service.db.query('select content from consent_receipts');
  assert.doesNotMatch(JSON.stringify([audited, receipts]), /example\.com/i);
});

test('receipts are part of the chain of the evidence, and an altered one is found', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  const { id } = await open({}, account.api);
  await account.recordAllow('bea@example.com');
  const check = await verifyChain(service.db, account.instance.id);
  assert.deepEqual([check.is_intact, check.checked], [true, 3]);
  await service.db.transaction(async (tx) => {
    await tx.query('alter table consent_receipts disable trigger consent_receipts_stay');
    await tx.query(`update consent_receipts set step = 'refused' where subject_id = $1`, [id]);
    await tx.query('alter table consent_receipts enable always trigger consent_receipts_stay');
  });
  const broken = await verifyChain(service.db, account.instance.id);
  assert.deepEqual(broken.first_break, { sequence: 2, problem: 'altered', consent_event_id: null });
});

test('due requests come first, and a person is found by any of their identifiers', async () => {
  const { api } = await service.tenant();
  const late = await open({ received_at: '2026-11-20T00:00:00Z' }, api);
  const other = [{ contact: '+56 9 1234 5678', contact_type: 'phone_number' }];
  const next = await open({ contacts: [...contacts, ...other] }, api);
  const refused = await open({ contacts: other }, api);
  await api.post(`${path}/${refused.id}/refuse`, { ground: 'Not identified.' });
  const ids = async (query = ''): Promise<number[]> =>
    (await api.get(`${path}${query}`)).json.data.map(({ id }: { id: number }) => id);
  assert.deepEqual(await ids(), [late.id, next.id, refused.id]);
  assert.deepEqual(await ids('?contact=%2B56912345678'), [next.id, refused.id]);
  assert.deepEqual(await ids('?status=refused'), [refused.id]);
  const future = await api.post(path, { kind: 'access', contacts, received_at: '2027-01-01T00:00:00Z' });
  assert.deepEqual([future.status, future.json.errors[0].pointer], [422, '/received_at']);
});

test('identifiers are of their type, or refused, each by its place', async () => {
  const openWith = async (...given: [contact_type: string, contact: string][]) => {
    const identifiers = given.map(([contact_type, contact]) => ({ contact_type, contact }));
    const { status, json } = await tenant.api.post(path, { kind: 'erasure', contacts: identifiers });
    const errors: { pointer: string; code: string }[] = json.errors ?? [];
    return [status, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)];
  };
  assert.deepEqual(
    await openWith(
      ['email_address', 'ana@example.com'],
      ['email_address', '  '],
      ['email_address', 'nobody'],
      ['phone_number', 'e'],
      ['phone_number', '912345678'],
      ['uniquecode', 'ab'],
      ['uniquecode', 'x'.repeat(101)],
      ['uniquecode', 'erased@erased.invalid'],
      ['uniquecode', '.*'],
    ),
    [
      422,
      '/contacts/1/contact value_error.email',
      '/contacts/2/contact value_error.email',
      '/contacts/3/contact value_error.phone',
      '/contacts/4/contact value_error.phone',
      '/contacts/5/contact value_error.uniquecode',
      '/contacts/6/contact value_error.uniquecode',
      '/contacts/7/contact value_error.uniquecode',
      '/contacts/8/contact value_error.uniquecode',
    ],
  );
  const codes = Array.from({ length: 50 }, (_, index): [string, string] => [
    'uniquecode',
    `${index + 10}${'字'.repeat(98)}`,
  ]);
  assert.deepEqual(await openWith(...codes), [201]);
});

test('opposition denies the purposes named', async () => {
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  const verdict = async () =>
    (
      await account.api.get(
        `/v1/consent-rules/resolve?contact=ana@example.com&contact_type=email_address&purpose_id=${account.marketing}`,
      )
    ).json.verdict;
  assert.equal(await verdict(), 'allow');
  const { id } = await open({ kind: 'opposition', purpose_ids: [account.marketing] }, account.api);
  await account.api.post(`${path}/${id}/fulfil`, {});
  assert.equal(await verdict(), 'deny');
  const unknown = await account.api.post(path, { kind: 'opposition', contacts, purpose_ids: [999_999] });
  assert.equal(unknown.status, 422);
});

test('opposition denies every channel, whichever terms cover it', async () => {
  const account = await openConsentAccount(service);
  const { newsletter: purpose } = account;
  const byPhone = await account.term({ channels: ['sms'], purposes: [purpose] });
  await service.db.query('update consent_terms set channels = $2 where id = $1', [
    account.first.id,
    ['push'],
  ]);
  const by_mail = await account.term({ channels: ['mail'], purposes: [purpose] });
  const phone = { contact: '+56912345678', contact_type: 'phone_number' } as const;
  await account.recordAllow('ana@example.com', { purpose_id: purpose, term_id: by_mail.id });
  await account.recordAllow(phone.contact, {
    ...phone,
    channel: 'sms',
    purpose_id: purpose,
    term_id: byPhone.id,
  });
  const verdict = async (channel: string, contact: string, type: string) => {
    const asked = { channel, contact, contact_type: type, purpose_id: String(purpose) };
    return (await account.api.get(`/v1/consent-rules/resolve?${new URLSearchParams(asked).toString()}`)).json
      .verdict;
  };
  const { id } = await open({ kind: 'opposition', contacts: [...contacts, phone] }, account.api);
  await account.api.post(`${path}/${id}/fulfil`, {});
  assert.deepEqual(
    [
      await verdict('mail', 'ana@example.com', 'email_address'),
      await verdict('sms', phone.contact, phone.contact_type),
    ],
    ['deny', 'deny'],
  );
});

test('reminders come a week before and once after the day, and scopes and roles keep others out', async () => {
  const request = await open();
  const remind = async (at: string) =>
    (await service.db.transaction(async (tx) => await remindDue(tx, new Date(at)))).filter(
      ({ id }) => id === request.id,
    );
  assert.equal((await remind('2026-12-20T00:00:00Z')).length, 0);
  assert.equal((await remind('2026-12-25T00:00:00Z')).length, 1);
  assert.equal((await remind('2026-12-26T00:00:00Z')).length, 0);
  assert.equal((await remind('2027-01-01T00:00:00Z'))[0]?.is_overdue, true);
  assert.equal((await remind('2027-01-02T00:00:00Z')).length, 0);
  const reader = await service.tenant({ scopes: ['rights:read'] });
  assert.equal((await reader.api.post(path, { kind: 'access', contacts })).status, 403);
  assert.equal((await reader.api.get(`${path}/${request.id}`)).json.code, 'rights_request_not_found');
  const developer = await signIn(service, tenant, 'developer');
  assert.equal((await developer.get('/v1/private/rights-requests')).status, 403);
  const admin = await signIn(service, tenant, 'admin');
  assert.equal((await admin.get(`/v1/private/rights-requests/${request.id}`)).json.id, request.id);
});
