import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { createLogin, type Login } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertAccessible, panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let tenant: Tenant;
let developer: Login;
let viewer: Login;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web,delivery' });
  tenant = await service.tenant();
  developer = await createLogin(service, tenant, 'developer');
  viewer = await createLogin(service, tenant, 'viewer');
  for (const name of ['open', 'click', 'bounce', 'softbounce']) {
    const { status } = await tenant.api.post('/v1/mails/send', {
      sender_email: `test@${tenant.instance.slug}.sandbox.test`,
      to: [{ email: `${name}@sandbox.test` }],
      subject: 'Order 17',
      html: '<p><a href="https://example.com/orders/17">Your order</a></p>',
    });
    assert.equal(status, 200);
  }
  const happened = async (list: string): Promise<boolean> =>
    (await tenant.api.get(`/v1/activities/${list}`)).json.data.length === 1;
  for (const list of ['opens', 'clicks', 'bounced']) {
    await waitFor(async () => await happened(list), { timeout_ms: 30_000, what: () => list });
  }
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const here = () => ({ found, base_url: service.base_url });
const pathOf = (path: string): string => `/panel/i/${tenant.instance.slug}${path}`;

test('opens, clicks and bounces are listed, grouped and exported', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, viewer, pathOf('/activity'));
  await page.getByRole('cell', { name: 'open@sandbox.test' }).waitFor();
  await page.goto(pathOf('/activity?group_by=msg_id'));
  await page.getByRole('row', { name: /Order 17.*1 \(100%\)/ }).waitFor();
  await page.getByRole('tab', { name: 'Clicks' }).click();
  await page.waitForURL(/list=clicks/);
  await page.getByRole('tab', { name: 'Bounces' }).click();
  await page.getByRole('row', { name: /bounce@sandbox.test.*Hard.*550/ }).waitFor();
  await settled(page);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /CSV/ }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  assert.match(text, /bounce@sandbox\.test/);
  assert.match(file.suggestedFilename(), /\.csv$/);
  assert.deepEqual(browserErrors, []);
});

test('addresses are restricted by hand and by a file, and lifted again', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, developer, pathOf('/suppressions'));
  await page.getByRole('row', { name: /bounce@sandbox.test.*The address does not exist/ }).waitFor();
  await page.getByRole('button', { name: 'Restrict an address' }).click();
  const form = page.getByRole('dialog', { name: 'Restrict an address' });
  await form.getByLabel('Address').fill('nobody');
  await form.getByRole('button', { name: 'Restrict' }).click();
  await form.locator('[aria-invalid=true]').waitFor();
  await form.getByLabel('Address').fill('ana@example.com');
  await form.getByRole('button', { name: 'Restrict' }).click();
  await page.getByRole('cell', { name: 'ana@example.com', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Import restrictions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import restrictions' });
  const csv = 'email,reason\nana@example.com,manual\nbea@example.com,manual\nnobody,manual\n';
  const buffer = Buffer.from(csv);
  await dialog.locator('input[type=file]').setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('3 lines read: 1 newly restricted, 1 restricted before.').waitFor();
  await dialog.getByRole('row', { name: /4.*nobody.*Not an email address/ }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Lift the restriction of bea@example.com' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lift restriction' }).click();
  await page.getByRole('cell', { name: 'bea@example.com', exact: true }).waitFor({ state: 'detached' });
});

test('a destination is retried, paused and resumed', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, developer, pathOf('/queue'));
  await page.getByRole('row', { name: /sandbox.test.*The mailbox is full/ }).waitFor();
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Mails: 1', { exact: true }).waitFor();
  // Its header would be an element of its own, were it for screen readers only.
  assert.equal(await page.getByText('Mails:', { exact: true }).count(), 0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Retry mail to sandbox.test now' }).click();
  await page.getByText('1 mail is due now.').waitFor();
  await page.getByRole('button', { name: 'Pause mail to sandbox.test' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('row', { name: /sandbox.test.*Paused since/ }).waitFor();
  await page.getByRole('button', { name: 'Resume mail to sandbox.test' }).click();
  await page.getByRole('button', { name: 'Pause mail to sandbox.test' }).waitFor();
});

test('a scheduled message is listed with its time, moved and cancelled', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const sent = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'later@sandbox.test' }, { email: 'also-later@sandbox.test' }],
    subject: 'Reminder',
    html: '<p>Tomorrow</p>',
    schedule_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  assert.equal(sent.status, 200, sent.text);
  await signInAs(page, developer, pathOf('/mails?subject=Reminder'));
  await page.getByRole('row', { name: /(?<![-\w])later@sandbox.test.*Scheduled/ }).click();
  await page.getByText('Scheduled for', { exact: true }).waitFor();
  await settled(page);
  await assertAccessible(page);
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Reschedule message');
  const form = page.getByRole('dialog', { name: 'Reschedule message' });
  await form.getByText('(2)').waitFor();
  await form.getByLabel('Send at').fill('2090-01-01T09:00');
  await form.getByRole('button', { name: 'Reschedule message' }).click();
  await form.locator('[aria-invalid=true]').waitFor();
  const at = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
  await form.getByLabel('Send at').fill(at);
  await form.getByRole('button', { name: 'Reschedule message' }).click();
  await form.waitFor({ state: 'detached' });
  const read = async () => (await tenant.api.get(`/v1/messages/${sent.json.message_id}`)).json;
  assert.equal((await read()).schedule_at, `${at}:00.000Z`);
  await choose('Cancel message');
  const question = page.getByRole('dialog', { name: 'Cancel message' });
  await question.getByText('never sent').waitFor();
  await question.getByRole('button', { name: 'Cancel message' }).click();
  await page.getByText('it was cancelled').first().waitFor();
  assert.equal((await read()).statuses.dropped, 2);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Send again' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'Cancel message' }).count(), 0);
  assert.deepEqual(
    browserErrors.filter((each) => !each.includes('422')),
    [],
  );
});
