import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createMember } from '../../src/accounts/users.ts';
import { createApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { createLogin, signIn, type Login } from '../support/panel-user.ts';
import { startRemoteMx, type RemoteMx } from '../support/remote-mx.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { panelFor, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let dns: DnsServer;
let mx: RemoteMx;
let tenant: Tenant;
let owner: Login & { id: number };
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  dns = await startDnsServer({});
  mx = await startRemoteMx({});
  dns.set('people.test', 'MX', ['10 mx.people.test']);
  dns.set('mx.people.test', 'A', ['127.0.0.1']);
  service = await startTestService({
    roles: 'api,web,delivery',
    env: {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(mx.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
    },
  });
  tenant = await service.tenant({ instance: { name: 'Librería Altiplano' } });
  owner = await createLogin(service, tenant, 'owner');
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await mx.stop();
  await dns.stop();
});

const here = () => ({ found, base_url: service.base_url });
const at = (path: string, { instance }: Tenant = tenant): string => `/panel/i/${instance.slug}${path}`;
const dialog = (page: Page) => page.getByRole('dialog').last();

test('an API key is shown once, works, and stops when it is revoked', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, owner, at('/api-keys'));
  await page.getByRole('button', { name: 'Create API key' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('shop');
  await dialog(page).getByRole('checkbox', { name: 'Read fields' }).check();
  await dialog(page).getByRole('button', { name: 'Create API key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your API key' });
  const api_key = (await shown.locator('pre').first().textContent()) ?? '';
  const { slug } = tenant.instance;
  const api = createApi({ base_url: service.base_url, api_key, slug });
  assert.equal((await api.get('/v1/fields')).status, 200);
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I have stored it' }).click();
  await shown.waitFor({ state: 'detached' });
  assert.doesNotMatch(await page.content(), new RegExp(api_key.split('.')[2] ?? ''));

  await page.getByRole('link', { name: 'shop' }).click();
  await dialog(page).getByText('Send mail').waitFor();
  await dialog(page).getByRole('button', { name: 'Revoke key' }).click();
  const revoke = page.getByRole('dialog', { name: 'Revoke key' });
  assert.ok(await revoke.getByRole('button', { name: 'Revoke key' }).isDisabled());
  await revoke.getByRole('textbox').fill('shop');
  await revoke.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('row', { name: /shop/ }).getByText('Revoked').waitFor();
  assert.equal((await api.get('/v1/fields')).status, 401);
  assert.deepEqual(browserErrors, []);
});

test('an SMTP credential fills in the settings of frameworks', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, owner, at('/smtp-credentials?framework=django&security=tls'));
  await page.getByRole('button', { name: 'Create credential' }).first().click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('printer');
  await dialog(page).getByRole('button', { name: 'Create credential' }).click();
  const shown = page.getByRole('dialog', { name: 'Your SMTP credential' });
  await shown.locator('pre').first().waitFor();
  const [username = '', password = ''] = await shown.locator('pre').allTextContents();
  await shown.getByRole('button', { name: 'I have stored it' }).click();
  const settings = page.getByRole('tabpanel').locator('pre');
  await settings.getByText(`EMAIL_HOST_USER = "${username}"`).waitFor();
  const text = (await settings.textContent()) ?? '';
  assert.match(text, /EMAIL_USE_SSL = True/);
  assert.ok(!(await page.content()).includes(password));
  assert.deepEqual(browserErrors, []);
});

test('an invited person accepts in a browser of their own, and a viewer has no control that fails', async (t) => {
  const panel = await panelFor(t, here());
  const guest = await panelFor(t, here());
  if (!panel || !guest) return;
  const email = 'luisa@people.test';
  await signInAs(panel.page, owner, at('/team'));
  await panel.page.getByRole('button', { name: 'Invite' }).click();
  await dialog(panel.page).getByRole('textbox', { name: 'Email' }).fill(email);
  await dialog(panel.page).getByRole('combobox', { name: 'Role' }).click();
  await panel.page.getByRole('option', { name: 'Viewer' }).click();
  await dialog(panel.page).getByRole('button', { name: 'Send invitation' }).click();
  await panel.page.getByRole('cell', { name: email, exact: true }).waitFor();
  assert.equal(new URL(panel.page.url()).searchParams.get('list'), 'invitations');

  const { page } = guest;
  await page.goto(`/panel/accept-invitation#${await tokenSentTo(email)}`);
  await page.getByRole('textbox', { name: 'Your name' }).fill('Luisa');
  await page.getByLabel('Choose a password').fill('several words of hers');
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('link', { name: 'Librería Altiplano' }).click();

  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('row', { name: email }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  for (const name of ['API keys', 'SMTP credentials', 'Audit']) {
    assert.equal(await menu.getByRole('link', { name }).count(), 0, name);
  }
  assert.equal(await page.locator('main').getByRole('button').count(), 0, 'the team has no controls');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('Time zone').waitFor();
  assert.equal(await page.locator('main').getByRole('button').count(), 0, 'settings have no controls');
  assert.deepEqual(guest.browserErrors, []);

  await panel.page.getByRole('tab', { name: 'Members' }).click();
  await panel.page.getByRole('button', { name: `Change ${email}` }).click();
  await dialog(panel.page).getByRole('button', { name: 'Remove from the team' }).click();
  const remove = panel.page.getByRole('dialog', { name: 'Remove from the team' });
  await remove.getByRole('button', { name: 'Remove from the team' }).click();
  await panel.page.getByRole('cell', { name: email, exact: true }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('You are not a member of').first().waitFor();
});

async function tokenSentTo(email: string): Promise<string> {
  const messages = await mx.waitForMessages(1);
  const message = messages.find(({ rcpt_to }) => rcpt_to.includes(email));
  const text = message?.data.toString().replaceAll('=\r\n', '') ?? '';
  const [, token = ''] = /accept-invitation#([\w-]{43})/.exec(text) ?? [];
  assert.ok(token, text);
  return token;
}

test('settings that lock oneself out are refused; the name is shown everywhere at once', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const other = await service.tenant({ instance: { name: 'Before' } });
  await signInAs(page, await createLogin(service, other, 'owner'), at('/settings', other));
  await page.getByRole('combobox', { name: 'Allowed addresses' }).fill('203.0.113.0/24');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('Trace').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('textbox', { name: 'Name' }).fill('After');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('navigation', { name: 'Menu' }).getByText('After', { exact: true }).waitFor();
});

test('saving one setting keeps those that another user changed meanwhile', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const other = await service.tenant({ instance: { name: 'Before' } });
  await signInAs(page, await createLogin(service, other, 'owner'), at('/settings', other));
  await page.getByRole('textbox', { name: 'Name' }).fill('After');
  const ip_allowlist = ['127.0.0.0/8', '::1/128'];
  const colleague = await signIn(service, other, 'admin');
  assert.equal((await colleague.patch('/v1/private/instance', { ip_allowlist })).status, 200);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('navigation', { name: 'Menu' }).getByText('After', { exact: true }).waitFor();
  const { json } = await colleague.get('/v1/private/instance');
  assert.deepEqual([json.name, json.ip_allowlist], ['After', ip_allowlist]);
});

test('the filters of the audit log stand in the address and outlive a reload', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, owner, at('/audit'));
  await page.getByRole('link', { name: 'Instance · created' }).waitFor();
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'API key' }).click();
  await page.getByRole('link', { name: 'Instance · created' }).waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).searchParams.get('object_kind'), 'api_key');
  await page.reload();
  await page.getByRole('link', { name: 'API key · created' }).last().click();
  await dialog(page).getByText('api_key.created').waitFor();
  await dialog(page).getByRole('link', { name: 'All about this' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.ok(new URL(page.url()).searchParams.get('object_id'));
  assert.deepEqual(browserErrors, []);
});

test('a member of two instances sees in each what is its own', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const [first, second] = [await service.tenant(), await service.tenant()];
  const login = await createLogin(service, first, 'admin');
  await service.db.transaction(async (tx) => {
    const user = { ...login, role: 'viewer' as const };
    await createMember(tx, second.instance.id, { user, actor: { kind: 'operator' } });
  });
  await createLogin(service, second, 'owner');
  await signInAs(page, login, at('/team', first));
  await page.getByText('1 in total').waitFor();
  await page.goto(at('/team', second));
  await page.getByText('2 in total').waitFor();
  assert.equal(
    await page.getByRole('button', { name: 'Invite' }).count(),
    0,
    'an admin there, a viewer here',
  );
});

test('a request of a person is recorded, seen with what is due, and fulfilled with its receipts', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, owner, at('/rights'));
  await page.getByText('No requests yet').waitFor();
  await page.getByRole('button', { name: 'Record a request' }).first().click();
  await dialog(page).getByRole('textbox', { name: 'Email addresses' }).fill('ana@people.test\nana@work.test');
  await dialog(page).getByRole('button', { name: 'Record' }).click();
  await page.getByRole('heading', { name: /^Access/ }).waitFor();
  await page.getByText('ana@work.test').waitFor();
  await page.getByText('30 days left').waitFor();
  await page
    .getByRole('table', { name: 'What you hold about the person' })
    .getByText('Privacy requests')
    .waitFor();
  await page.getByRole('checkbox', { name: 'Identity verified' }).check();
  await page.getByText('Done: 1 of 4').waitFor();
  await page.getByRole('textbox', { name: 'Note' }).fill('At the counter.');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('The note was saved.').waitFor();
  await page.getByRole('button', { name: 'Draft an answer' }).click();
  const draft = dialog(page).getByRole('textbox', { name: 'Text of the answer' });
  await draft.waitFor();
  assert.match(await draft.inputValue(), /recibimos tu solicitud de acceso/);
  await dialog(page).getByText('English', { exact: true }).click();
  await dialog(page)
    .getByText(/Your request for access to your data/)
    .waitFor();
  assert.match(await draft.inputValue(), /we received your request/);
  await page.keyboard.press('Escape');
  const archive = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the archive' }).click();
  assert.match((await archive).suggestedFilename(), /^rights-request-\d+\.zip$/);
  await page.getByRole('button', { name: 'Fulfil' }).click();
  await dialog(page).getByRole('textbox').fill('Handed over at the counter.');
  await dialog(page).getByRole('button', { name: 'Fulfil' }).click();
  await page.getByText('Handed over at the counter.').waitFor();
  const receipts = page.getByRole('list', { name: 'Receipts' }).getByRole('listitem');
  await receipts.nth(2).waitFor();
  assert.equal(await receipts.count(), 3);
  assert.deepEqual(browserErrors, []);
});

test('an erasure that was stopped says why, is resumed, and is cancelled', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const contacts = [{ contact: 'stopped@people.test', contact_type: 'email_address' }];
  const { json } = await tenant.api.post('/v1/rights-requests', { kind: 'erasure', contacts });
  await tenant.api.post(`/v1/rights-requests/${json.id}/fulfil`, {});
  await service.db.query(
    `update rights_requests set stopped_at = now(), stop_reason = 'failing' where id = $1`,
    [json.id],
  );
  await signInAs(page, owner, at(`/rights/${json.id}`));
  await page.getByText('The erasure keeps failing').waitFor();
  await page.getByRole('button', { name: 'Resume the erasure' }).click();
  await dialog(page).getByRole('textbox').fill('stopped@people.test');
  await dialog(page).getByRole('button', { name: 'Resume the erasure' }).click();
  await page.getByText('The erasure is under way').waitFor();
  await page.getByRole('button', { name: 'Cancel the erasure' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel the erasure' }).click();
  await page.getByText('The erasure was cancelled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Refuse' }).waitFor();
  assert.deepEqual(browserErrors, []);
});

test('a sender keeps what others changed while its dialog was open, and loses the purpose with the consent', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const { id } = tenant.instance;
  const save = async (): Promise<unknown> => {
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [row] = await service.db.query(
      `select name, track_opens, requires_consent, consent_purpose_id is not null as has_purpose
       from senders where instance_id = $1 and email_address like 'test@%'`,
      [id],
    );
    return row;
  };
  await signInAs(page, owner, at('/senders'));
  await page.getByRole('link', { name: 'test@' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Libros');
  const [purpose] = await service.db.query<{ id: number }>(
    `insert into consent_purposes (instance_id, code, name) values ($1, 'books', 'Books') returning id`,
    [id],
  );
  await service.db.query(
    `update senders set track_opens = false, requires_consent = true, consent_purpose_id = $2
     where instance_id = $1`,
    [id, purpose?.id],
  );
  const kept = { name: 'Libros', track_opens: false };
  assert.deepEqual(await save(), { ...kept, requires_consent: true, has_purpose: true });
  await page.getByRole('link', { name: 'test@' }).click();
  await dialog(page).getByRole('checkbox', { name: 'Require consent' }).uncheck();
  assert.deepEqual(await save(), { ...kept, requires_consent: false, has_purpose: false });
  assert.deepEqual(browserErrors, []);
});
