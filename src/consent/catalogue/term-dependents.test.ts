import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { createCurrentTerm, createFormAccount, type FormAccount } from '../../forms/form-account.fixture.ts';

let service: TestService;
let account: FormAccount;
before(async () => {
  service = await startTestService({ roles: 'api,web' });
  account = await createFormAccount(service);
});
after(async () => await service.stop());

const dependents = async (id: number) =>
  await account.panel.get(`/v1/private/consent-terms/${id}/dependents`);

async function form(name: string, more: object, item: object): Promise<string> {
  const items = [
    { kind: 'field', field_id: account.fields['EMAIL'] },
    { kind: 'consent', term_id: account.term_id, ...item },
  ];
  const wanted = { name, kind: 'advanced', type: 'registration', items, ...more };
  const { status, json, text } = await account.panel.post('/v1/private/forms', wanted);
  assert.equal(status, 201, text);
  return json.public_token;
}

test('a new term has no dependents', async () => {
  assert.deepEqual((await dependents(account.term_id)).json, {
    forms: [],
    form_count: 0,
    closing_form_count: 0,
    sender_count: 0,
    stranded_sender_count: 0,
    pending_event_count: 0,
    event_count: 0,
  });
});

test('forms, senders and consents that live by a term are counted', async () => {
  const confirmed = { requires_confirmation: true, auto_reply_sender_id: account.sender_id };
  const token = await form('Closes', confirmed, { is_required: true });
  await form('Stays open', {}, {});
  await form('Inactive', { is_active: false }, { is_required: true });
  const body = new URLSearchParams({ EMAIL: 'ana@sandbox.test', consent: String(account.term_id) });
  await fetch(`${service.base_url}/f/${token}`, { method: 'POST', redirect: 'manual', body });
  await service.db.query(
    `insert into senders (instance_id, domain_id, name, email_address, stream, requires_consent, consent_purpose_id)
     select instance_id, domain_id, 'News', 'news@' || split_part(email_address, '@', 2), 'broadcast', true, $2
     from senders where id = $1`,
    [account.sender_id, account.purpose_id],
  );
  const { json } = await dependents(account.term_id);
  assert.deepEqual(
    json.forms.map(({ name, is_required }: { name: string; is_required: boolean }) => [name, is_required]),
    [
      ['Closes', true],
      ['Stays open', false],
    ],
  );
  const { forms: _forms, ...counts } = json;
  assert.deepEqual(counts, {
    form_count: 2,
    closing_form_count: 1,
    sender_count: 1,
    stranded_sender_count: 1,
    pending_event_count: 1,
    event_count: 1,
  });
  await createCurrentTerm(account, { channels: ['mail'] });
  assert.equal((await dependents(account.term_id)).json.stranded_sender_count, 0);
});

test('a term of another instance has no dependents to read', async () => {
  const other = await service.tenant();
  const stranger = await signIn(service, other, 'owner');
  const answer = await stranger.get(`/v1/private/consent-terms/${account.term_id}/dependents`);
  assert.equal(answer.json.code, 'consent_term_not_found');
});
