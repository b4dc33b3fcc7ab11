import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFormAccount, type FormAccount } from '../forms/form-account.fixture.ts';
import { recordUnsubscribe } from '../events/record-unsubscribe.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
let account: FormAccount;
before(async () => {
  service = await startTestService({ roles: 'api' });
  account = await createFormAccount(service);
  await importLines('Ana@sandbox.test,Ana\nbeto@example.com,=Beto\n');
});
after(async () => await service.stop());

async function importLines(lines: string): Promise<void> {
  const { status, text } = await account.api.post('/v1/contact-imports', {
    term_id: account.term_id,
    method: 'double_opt_in',
    origin: 'The previous service',
    consented_at: '2026-09-01T00:00:00Z',
    csv: `email,FIRST_NAME\n${lines}`,
  });
  assert.equal(status, 200, text);
}

test('a contact has all that is known, from where it is kept', async () => {
  const mail_id = await acceptedMail(service, account, 'ANA@sandbox.test');
  await recordUnsubscribe(service.db, { mail_id, method: 'page', reason: null, at: new Date() });
  await account.api.post('/v1/mail-restrictions', { recipient: 'ana@sandbox.test' });
  const contacts = [{ contact: 'ana@sandbox.test', contact_type: 'email_address' }];
  const { id } = (await account.api.post('/v1/rights-requests', { kind: 'access', contacts })).json;

  const { status, json } = await account.api.get('/v1/contacts/ANA%40sandbox.test');
  assert.equal(status, 200);
  assert.equal(json.contact, 'ana@sandbox.test');
  assert.deepEqual(
    json.answers.map(({ field_key, value }: Record<string, unknown>) => [field_key, value]),
    [['FIRST_NAME', 'Ana']],
  );
  const [consent] = json.consents;
  assert.deepEqual(
    [consent.purpose_id, consent.verdict, consent.source, consent.method],
    [account.purpose_id, 'allow', 'import', 'double_opt_in'],
  );
  assert.equal(json.suppression.restricted.reason, 'manual');
  assert.notEqual(json.suppression.unsubscribed_at, null);
  assert.equal(json.submissions[0].contact_import_id > 0, true);
  assert.deepEqual(
    json.mails.map((mail: { mail_id: string }) => mail.mail_id),
    [mail_id],
  );
  assert.deepEqual(
    json.rights_requests.map((request: { id: number }) => request.id),
    [id],
  );
  const viewer = await signIn(service, account, 'viewer');
  assert.equal((await viewer.get('/v1/private/contacts/ana@sandbox.test')).json.rights_requests, null);
});

test('the list has each contact once and finds part of an address', async () => {
  const { data, pagination } = (await account.api.get('/v1/contacts')).json;
  assert.deepEqual(
    data.map(({ contact }: { contact: string }) => contact),
    ['ana@sandbox.test', 'beto@example.com'],
  );
  assert.equal(pagination.total_items, 2);
  assert.deepEqual(data[0].answers, { EMAIL: 'ana@sandbox.test', FIRST_NAME: 'Ana' });
  assert.equal(data[0].consents[0].verdict, 'allow');
  const found = (await account.api.get('/v1/contacts?contact=BETO%40')).json.data;
  assert.deepEqual([found.length, found[0].contact], [1, 'beto@example.com']);
});

test('the export has a column for each field and neutralises formulas', async () => {
  const { text } = await account.api.get('/v1/contacts/export');
  const [header, ana, beto] = text.split('\r\n');
  assert.match(
    header ?? '',
    /^"contact","PHONE","FIRST_NAME".*"allowed","denied","is_restricted","is_unsubscribed"$/u,
  );
  assert.match(ana ?? '', /^"ana@sandbox.test",.*"Ana".*"marketing".*true,true$/);
  assert.match(beto ?? '', /"'=Beto"/);
});

test('a person who is blocked is not found', async () => {
  const contacts = [{ contact: 'beto@example.com', contact_type: 'email_address' }];
  const { id } = (await account.api.post('/v1/rights-requests', { kind: 'blocking', contacts })).json;
  await account.api.post(`/v1/rights-requests/${id}/fulfil`, {});
  const { status, json } = await account.api.get('/v1/contacts/beto@example.com');
  assert.deepEqual([status, json.code], [404, 'contact_not_found']);
  assert.equal((await account.api.get('/v1/contacts')).json.data.length, 1);
  assert.doesNotMatch((await account.api.get('/v1/contacts/export')).text, /beto/);
});
