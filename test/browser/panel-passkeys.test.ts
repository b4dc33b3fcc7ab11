import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { createLogin } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { assertAccessible, panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let tenant: Tenant;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  // A passkey is for one origin: the configured address has to be the real one.
  const port = await freePort();
  service = await startTestService({
    roles: 'api,web',
    env: {
      CHASQUI_HTTP_PORT: String(port),
      CHASQUI_HOST: 'localhost',
      CHASQUI_BASE_URL: `http://localhost:${port}`,
    },
  });
  tenant = await service.tenant();
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const here = () => ({ found, base_url: service.base_url });
const dialog = (page: Page) => page.getByRole('dialog').last();

/** A phone with a fingerprint reader that says yes (CDP, domain WebAuthn). */
async function plugIn(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(
    `fetch('/v1/private/auth/logout', { method: 'POST', headers: { 'x-requested-with': 'chasqui-panel' } })`,
  );
  await page.goto('/panel/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
}

test('a passkey is added, signs in, stands in for the code, and is removed', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const { cdp, authenticatorId } = await plugIn(page);
  const login = await createLogin(service, tenant, 'developer');
  await signInAs(page, login, '/panel/account');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog(page).getByLabel('Name').fill('Phone');
  await dialog(page).getByLabel('Current password').fill(login.password);
  await assertAccessible(page);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await codes.getByRole('button', { name: 'I have stored it' }).click();
  const passkeys = page.getByRole('list', { name: 'Passkeys' });
  await passkeys.getByText('never used').waitFor();
  await settled(page);
  await assertAccessible(page);

  await signOut(page);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(/\/panel\/i\//);

  await signOut(page);
  await page.getByRole('textbox', { name: 'Email' }).fill(login.email);
  await page.getByLabel('Password', { exact: true }).fill(login.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use a passkey instead of the code' }).click();
  await page.waitForURL(/\/panel\/i\//);
  assert.deepEqual(
    browserErrors.filter((each) => !/status of 401/.test(each)),
    [],
  );

  // The same key with a counter of a copy.
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  const [credential] = credentials;
  assert.ok(credential);
  await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId });
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } });
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey is unknown').waitFor();
  await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId });
  await cdp.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: { ...credential, signCount: 100 },
  });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(/\/panel\/i\//);

  await page.goto('/panel/account');
  await passkeys.getByText('last used').waitFor();
  await page.getByRole('button', { name: 'Remove: Phone' }).click();
  await dialog(page).getByText('signing in needs only the password').waitFor();
  await dialog(page).getByLabel('Current password').fill(login.password);
  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await passkeys.getByText('Phone').waitFor({ state: 'detached' });
});

test('the code for passkeys is loaded only when one is used', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await page.goto('/panel/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await settled(page);
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('.js')),
    page.getByRole('button', { name: 'Sign in with a passkey' }).click(),
  ]);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
