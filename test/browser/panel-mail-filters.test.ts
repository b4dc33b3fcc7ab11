import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { writeCategory, writeEvent, writeMail } from '../../src/activity/activity-data.fixture.ts';
import { launchBrowser } from '../support/browser.ts';
import { createLogin, type Login } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let tenant: Tenant;
let viewer: Login;
let found: FoundBrowser;
let bounced: string;
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web' });
  tenant = await service.tenant();
  viewer = await createLogin(service, tenant, 'viewer');
  const [sender] = await service.db.query<{ id: number }>('select id from senders where instance_id = $1', [
    tenant.instance.id,
  ]);
  const category_id = await writeCategory(service, tenant, 'orders');
  const at = new Date(Date.now() - 60_000);
  const marked = { category_id, custom_group_code: 'spring', sender_id: sender?.id ?? 0, test_mode: true };
  await writeMail(service, tenant, { at, ...marked, recipient: 'marked@example.com' });
  const sent = { ...marked, test_mode: false, recipient: 'sent@example.com' };
  await writeMail(service, tenant, { at, ...sent });
  const other = { sender_id: 999_999, recipient: 'other@example.com', status: 6 };
  ({ mail_id: bounced } = await writeMail(service, tenant, { at, ...other }));
  const diagnostic = '550 5.7.1 Blocked, see https://mx.example.com/why';
  await writeEvent(service, tenant, {
    mail_id: bounced,
    at,
    event: 'bounced',
    data: { type: 'block', smtp_code: 550, enhanced_code: '5.7.1', diagnostic, response: diagnostic },
  });
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const here = () => ({ found, base_url: service.base_url });
const pathOf = (path: string): string => `/panel/i/${tenant.instance.slug}${path}`;
const senderName = (): string => `test@${tenant.instance.slug}.sandbox.test`;

async function choose(page: Page, filter: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: filter }).click();
  await page.getByRole('option', { name: option }).click();
}

const filters = (): [name: string, set: (page: Page) => Promise<void>][] => [
  ['sender_id', async (page) => await choose(page, 'Sender', senderName())],
  ['category', async (page) => await choose(page, 'Category', 'orders')],
  ['custom_group_code', async (page) => await page.getByRole('textbox', { name: 'Group' }).fill('spring')],
];

test('mails are filtered by sender, category, group and test mode, and show their category', async (t) => {
  const panel = await panelFor(t, here(), { viewport: { width: 1920, height: 900 } });
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, viewer, pathOf('/mails'));
  await page.getByRole('button', { name: 'More filters' }).click();
  const row = (email: string) => page.getByRole('row', { name: new RegExp(email) });
  for (const [name, set] of filters()) {
    await row('other@').waitFor();
    await set(page);
    await page.waitForURL(new RegExp(`${name}=`));
    await row('other@').waitFor({ state: 'detached' });
    await row('sent@.*orders').waitFor();
    await row('marked@.*orders').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
  }
  await choose(page, 'Test mode', 'Tests only');
  await row('sent@').waitFor({ state: 'detached' });
  await row('marked@').getByRole('img', { name: 'Sent in test mode' }).waitFor();
});

test('the overview counts the mail of a sender, a category and a group', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, viewer, pathOf(''));
  await settled(page);
  for (const [name, set] of filters()) {
    const [answer] = await Promise.all([
      page.waitForResponse(
        (each) => each.url().includes('/v1/private/overview?') && each.url().includes(name),
      ),
      set(page),
    ]);
    const { stats } = (await answer.json()) as { stats: { totals: { received: number; test: number } } };
    assert.deepEqual([stats.totals.received, stats.totals.test], [1, 1], name);
    await page.getByRole('button', { name: 'Clear filters' }).click();
  }
});

test('the quoted log and the source say that their links do nothing', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const developer = await createLogin(service, tenant, 'developer');
  await signInAs(page, developer, pathOf(`/mails/${bounced}`));
  await page.getByText('https://mx.example.com/why').first().waitFor();
  await page.getByText('Links in a reply are shown as text and cannot be followed here.').waitFor();
  assert.equal(await page.getByRole('link', { name: /mx\.example\.com/ }).count(), 0);

  const sent = await tenant.api.post('/v1/mails/send', {
    sender_email: senderName(),
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Order 17',
    html: '<p><a href="https://example.com/orders/17">Your order</a></p>',
  });
  assert.equal(sent.status, 200, sent.text);
  const { data } = (await tenant.api.get(`/v1/mails?msg_id=${sent.json.message_id}`)).json;
  await page.goto(pathOf(`/mails/${data[0].mail_id}?tab=source`));
  await page.getByRole('tab', { name: 'Source' }).click();
  await page.getByText('This is a copy. Its links to unsubscribe, report and view do not work.').waitFor();
});

test('each list of suppressions is exported', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await service.db.query(
    `insert into restrictions (instance_id, recipient, reason) values ($1, 'ana@example.com', 'manual')`,
    [tenant.instance.id],
  );
  await signInAs(page, viewer, pathOf('/suppressions'));
  for (const [list, header] of [
    ['restrictions', /"recipient","reason".*\r\n.*"ana@example\.com"/],
    ['complaints', /"complained_at"/],
    ['unsubscribes', /"unsubscribed_at"/],
  ] as const) {
    await page.goto(pathOf(list === 'restrictions' ? '/suppressions' : `/suppressions?list=${list}`));
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /CSV/ }).click(),
    ]);
    const text = await waitFor(async () => await readFile(await file.path(), 'utf8'), { what: 'the file' });
    assert.match(text, header);
  }
});
