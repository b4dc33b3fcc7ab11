import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { codeAt, stepAt } from '../../src/protocol/totp/totp.ts';
import { createMember } from '../../src/accounts/users.ts';
import { launchBrowser } from '../support/browser.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { createLogin } from '../support/panel-user.ts';
import { startRemoteMx, type RemoteMx } from '../support/remote-mx.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let dns: DnsServer;
let mx: RemoteMx;
let tenant: Tenant;
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
  tenant = await service.tenant();
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await mx.stop();
  await dns.stop();
});

const here = () => ({ found, base_url: service.base_url });
const dialog = (page: Page) => page.getByRole('dialog').last();

test('a user who forgot the password gets a link by mail and chooses a new one', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const email = 'ana@people.test';
  await service.db.transaction(async (tx) => {
    const user = { email, password: 'the one she forgot', role: 'viewer' as const };
    await createMember(tx, tenant.instance.id, { user, actor: { kind: 'operator' } });
  });
  await page.goto('/panel/');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The page that is left has such a field too.
  await page.getByRole('button', { name: 'Send link' }).waitFor();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor();
  const [message] = await mx.waitForMessages(1);
  assert.deepEqual(message?.rcpt_to, [email]);
  const text = message?.data.toString().replaceAll('=\r\n', '') ?? '';
  const [, token = ''] = /reset-password#([\w-]+)/.exec(text) ?? [];

  await page.goto(`/panel/reset-password#${token}`);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.locator('[id$="-error"]').getByText('at least 12 characters').waitFor();
  browserErrors.length = 0; // The browser tells of every answer that is not a success.
  await page.getByLabel('New password').fill('several words of hers');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
  await signInAs(page, { email, password: 'several words of hers' });
  assert.deepEqual(browserErrors, []);

  const second = await panelFor(t, here());
  await second?.page.goto(`/panel/reset-password#${token}`);
  await second?.page.getByLabel('New password').fill('another one of twelve');
  await second?.page.getByRole('button', { name: 'Change password' }).click();
  await second?.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
});

test('two-factor is turned on with an app, asked for at sign-in, and a recovery code stands in for it', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const login = await createLogin(service, tenant, 'developer');
  await signInAs(page, login, '/panel/account');
  await page.getByRole('button', { name: 'Turn on two-factor' }).click();
  await dialog(page).getByLabel('Current password').fill(login.password);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
  const secret = fromBase32((await dialog(page).locator('code').textContent()) ?? '');
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill('000000');
  await dialog(page).getByRole('button', { name: 'Turn on two-factor' }).click();
  await dialog(page)
    .getByRole('textbox', { name: 'Code' })
    .and(page.locator('[aria-invalid=true]'))
    .waitFor();
  await dialog(page)
    .getByRole('textbox', { name: 'Code' })
    .fill(codeAt(secret, stepAt(new Date())));
  await dialog(page).getByRole('button', { name: 'Turn on two-factor' }).click();
  const shown = page.getByRole('dialog', { name: 'Recovery codes' });
  const [recovery = ''] = ((await shown.locator('pre').textContent()) ?? '').split('\n');
  await shown.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('recovery codes are left').waitFor();

  const other = await panelFor(t, here());
  if (!other) return;
  await other.page.goto('/panel/');
  await other.page.getByRole('textbox', { name: 'Email' }).fill(login.email);
  await other.page.getByLabel('Password', { exact: true }).fill(login.password);
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.getByRole('textbox', { name: 'Code' }).fill(recovery);
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.waitForURL(/\/panel\/i\//);
});

test('sessions are listed, and all but this one are ended', async (t) => {
  const panel = await panelFor(t, here());
  const other = await panelFor(t, here());
  if (!panel || !other) return;
  const login = await createLogin(service, tenant, 'viewer');
  await signInAs(other.page, login);
  await signInAs(panel.page, login, '/panel/account');
  const sessions = panel.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await sessions.nth(1).waitFor();
  await panel.page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await sessions.nth(1).waitFor({ state: 'detached' });
  await settled(panel.page);
  assert.equal(await sessions.count(), 1);
  await other.page.reload();
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (each) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
