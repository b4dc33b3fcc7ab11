import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { createLogin } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts';
import { assertAccessible, panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let tenant: Tenant;
let sink: WebhookSink;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  sink = await startWebhookSink({ respond: { status: 503, body: 'closed for lunch' } });
  service = await startTestService({
    roles: 'api,web,delivery,webhooks',
    env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' },
  });
  tenant = await service.tenant();
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await sink.stop();
});

const here = () => ({ found, base_url: service.base_url });
const pathOf = (path: string): string => `/panel/i/${tenant.instance.slug}${path}`;

test('a webhook is made, its endpoint fails, the delivery is looked at and replayed', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, await createLogin(service, tenant, 'developer'), pathOf('/webhooks'));
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Add webhook' });
  await form.getByLabel('Name').fill('Orders');
  await form.getByLabel('URL').fill('ftp://example.com/');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.locator('[aria-invalid=true]').waitFor();
  await form.getByLabel('URL').fill(`${sink.url}/hooks`);
  await form.getByLabel('All events').uncheck();
  await form.getByRole('button', { name: 'Create' }).click();
  await form.locator('.mantine-InputWrapper-error').waitFor();
  await form.getByLabel('Bounced').check();
  await form.getByRole('button', { name: 'Create' }).click();
  const secret = page.getByRole('dialog', { name: 'Signing secret' });
  await secret.getByText(/^whsec_/).waitFor();
  await secret.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();

  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The endpoint did not accept it').waitFor();
  await page.keyboard.press('Escape');

  const { status } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'bounce@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  assert.equal(status, 200);
  await sink.waitForRequests(2, 60_000);
  const row = page.getByRole('row', { name: /Bounced.*Waiting/ });
  await row.waitFor();
  await row.getByRole('link').click();
  const delivery = page.getByRole('dialog', { name: 'Delivery' });
  await delivery.getByText('closed for lunch').first().waitFor();
  await delivery.getByText('"type": "mail.bounced"').waitFor();
  await assertAccessible(page);

  sink.respond({ status: 204 });
  await delivery.getByRole('button', { name: 'Replay' }).click();
  await delivery.getByText('Replayed').waitFor();
  // The attempt that was due and the replay may both have been made.
  await delivery
    .getByText(/: 204 in /)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /Bounced.*Delivered/ }).waitFor();
  await page.getByText('100% delivered').waitFor();
  // Deliveries and replays have one identity, so that an endpoint takes each event once.
  const ids = sink.requests.slice(1).map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids).size, 1);

  const beforeRange = sink.requests.length;
  await page.getByRole('button', { name: 'Replay deliveries' }).click();
  const range = page.getByRole('dialog', { name: 'Replay deliveries' });
  await range.getByRole('combobox', { name: 'Which deliveries' }).click();
  await page.getByRole('option', { name: 'All, including delivered' }).click();
  await range.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('1 delivery is sent again now.').waitFor();
  await sink.waitForRequests(beforeRange + 1);
});

test('a viewer sees a webhook and its deliveries, and no control', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const body = { name: 'Stock', url: `${sink.url}/stock` };
  const { json: webhook } = await tenant.api.post('/v1/webhooks', body);
  await signInAs(page, await createLogin(service, tenant, 'viewer'), pathOf('/webhooks'));
  await page.getByRole('link', { name: 'Stock' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add webhook' }).count(), 0);
  await page.goto(pathOf(`/webhooks/${webhook.id}`));
  await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor();
  await page.getByText('No deliveries yet').waitFor();
  for (const name of ['Send test event', 'More actions', 'Replay deliveries']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await assertAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390);
  assert.deepEqual(browserErrors, []);
});
