import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';
import { pageUrl } from '../track/pages/mail-pages.fixture.ts';
import { createFormAccount, type FormAccount } from './form-account.fixture.ts';

let service: TestService;
let account: FormAccount;
before(async () => {
  service = await startTestService({ roles: 'api,web' });
  account = await createFormAccount(service);
});
after(async () => await service.stop());

async function makeForm(name: string, more: object) {
  const { status, json, text } = await account.panel.post('/v1/private/forms', {
    name,
    kind: 'advanced',
    type: 'registration',
    auto_reply_sender_id: account.sender_id,
    items: [{ kind: 'field', field_id: account.fields['EMAIL'] }],
    ...more,
  });
  assert.equal(status, 201, text);
  return json;
}

const isDefault = async (id: number) => (await account.api.get(`/v1/forms/${id}`)).json.is_default;
const change = async (id: number, changes: object) => {
  const { status, text } = await account.panel.patch(`/v1/private/forms/${id}`, changes);
  assert.equal(status, 200, text);
};

test('each kind and type has one default form, also when a form changes its type', async () => {
  const first = await makeForm('First', { is_default: true });
  const update = await makeForm('Update', { type: 'update', is_default: true });
  assert.deepEqual([await isDefault(first.id), await isDefault(update.id)], [true, true]);
  const second = await makeForm('Second', { is_default: true });
  assert.deepEqual([await isDefault(first.id), await isDefault(second.id)], [false, true]);
  await change(second.id, { type: 'update' });
  assert.deepEqual([await isDefault(second.id), await isDefault(update.id)], [true, false]);
  await change(second.id, { is_default: false });
  assert.equal(await isDefault(second.id), false);
});

test('pages for recipients and the page for requests link to the default form of type update, while it is open', async () => {
  const { url } = (await account.panel.get('/v1/private/rights-page')).json;
  const pages = [
    pageUrl(service, 'unsubscribe', await acceptedMail(service, account, 'ana@sandbox.test')),
    service.base_url + new URL(url).pathname,
  ];
  const form = await makeForm('Change <it>', { type: 'update', is_default: true });
  const links = async () =>
    await Promise.all(
      pages.map(async (page) => {
        const html = await (await fetch(page)).text();
        return html.includes(`href="${service.base_url}/f/${form.public_token}">Change &lt;it&gt;</a>`);
      }),
    );
  assert.deepEqual(await links(), [true, true]);
  for (const [shut, open] of [
    [{ is_default: false }, { is_default: true }],
    [{ is_active: false }, { is_active: true }],
  ] as const) {
    await change(form.id, shut);
    assert.deepEqual(await links(), [false, false]);
    await change(form.id, open);
    assert.deepEqual(await links(), [true, true]);
  }
  await service.db.query(
    'update senders set requires_consent = true, consent_purpose_id = $2 where id = $1',
    [account.sender_id, account.purpose_id],
  );
  assert.deepEqual(await links(), [false, false], 'it could not write its link');
  await service.db.query('update senders set requires_consent = false where id = $1', [account.sender_id]);
});

test('the page that asks for a link leads to the default form', async () => {
  const update = await makeForm('Details', { type: 'update' });
  const page = async () => await (await fetch(`${service.base_url}/f/${update.public_token}`)).text();
  assert.doesNotMatch(await page(), /Not registered yet/);
  const register = await makeForm('Newsletter', { is_default: true });
  assert.match(
    await page(),
    new RegExp(`Not registered yet[^]*/f/${register.public_token}"[^>]*>Newsletter`),
  );
});

test('the default of another instance is linked from nowhere here', async () => {
  const other = await createFormAccount(service);
  const mail_id = await acceptedMail(service, other, 'ana@sandbox.test');
  const html = await (await fetch(pageUrl(service, 'unsubscribe', mail_id))).text();
  assert.doesNotMatch(html, /\/f\//);
});
