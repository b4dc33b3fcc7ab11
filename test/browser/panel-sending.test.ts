import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { insertSender } from '../../src/accept/account.fixture.ts';
import { launchBrowser } from '../support/browser.ts';
import { createLogin } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { panelFor, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let tenant: Tenant;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const pathOf = (rest: string): string => `/panel/i/${tenant.instance.slug}${rest}`;
const here = () => ({ found, base_url: service.base_url });

test('a template gets an alias, and the page says how code sends it', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const { json } = await tenant.api.post('/v1/mail-templates', { name: 'Paid' });
  await signInAs(page, await createLogin(service, tenant, 'developer'), pathOf(`/templates/${json.id}`));
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await dialog.getByRole('textbox', { name: 'Alias' }).fill('order.paid');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('tab', { name: 'Use' }).click();
  await page.getByText('"template_alias": "order.paid"').waitFor();
  assert.equal((await tenant.api.get(`/v1/mail-templates/${json.id}`)).json.alias, 'order.paid');
});

test('a domain is opened to every address, with one of its senders', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const sender = await insertSender(service, { instance_id: tenant.instance.id, domain: 'open.example' });
  const domainNow = async () => (await tenant.api.get('/v1/domains?domain=open.example')).json.data[0];
  const { id } = await domainNow();
  await signInAs(page, await createLogin(service, tenant, 'developer'), pathOf(`/domains/${id}`));
  const open = page.getByRole('switch', { name: 'Any address may send' });
  await open.waitFor();
  assert.equal(await open.isDisabled(), true, 'it needs a default sender');
  await page.getByRole('combobox', { name: 'Default sender' }).click();
  await page.getByRole('option', { name: sender.email }).click();
  await waitFor(async () => await open.isEnabled(), { timeout_ms: 10_000, what: 'the switch' });
  await open.click({ force: true });
  await waitFor(async () => (await domainNow()).any_sender === true, {
    timeout_ms: 10_000,
    what: 'the change',
  });
  assert.equal((await domainNow()).default_sender_id, sender.id);
});
